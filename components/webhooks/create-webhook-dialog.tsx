"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { CreateWebhook, type WebhookWithSecret } from "#lib/contract/webhooks";
import { ShownSecret } from "./shown-secret.tsx";
import { WebhookFields } from "./webhook-fields.tsx";
import { formatTexts } from "./webhook-text.ts";

export default function CreateWebhookDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const client = useQueryClient();
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const { form, submitWith } = useServerForm<CreateWebhook, CreateWebhook>(CreateWebhook, {
    url: "",
    format: "standard",
    events: ["scenario-completed"],
  });
  const submit = submitWith(async (body) => {
    const webhook = await api.post(`/projects/${projectId}/webhooks`, body);
    // Chats do not check signatures, so the secret has no use.
    if (webhook.format === "standard") setCreated(webhook);
    else {
      toast.success(`Events are sent to ${formatTexts[webhook.format]}.`);
      onClose();
    }
    await client.invalidateQueries({ queryKey: keys.project(projectId) });
  });
  return (
    <FormDialog
      form={form}
      onSubmit={submit}
      onClose={onClose}
      title={created ? "Secret of the new webhook" : "Add webhook"}
      description="Sends a POST for each chosen event, signed by Standard Webhooks, or a message to a chat."
      action="Add webhook"
      done={created && <ShownSecret secret={created.secret} />}
    >
      <WebhookFields form={form} />
    </FormDialog>
  );
}
