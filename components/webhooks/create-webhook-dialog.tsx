"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { CreateWebhook, type WebhookWithSecret } from "#lib/contract/webhooks";
import { ShownSecret } from "./shown-secret.tsx";
import { WebhookFields } from "./webhook-fields.tsx";

export default function CreateWebhookDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const client = useQueryClient();
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const { form, submitWith } = useServerForm<CreateWebhook, CreateWebhook>(CreateWebhook, {
    url: "",
    events: ["scenario-completed"],
  });
  const submit = submitWith(async (body) => {
    setCreated(await api.post(`/projects/${projectId}/webhooks`, body));
    await client.invalidateQueries({ queryKey: keys.project(projectId) });
  });
  return (
    <FormDialog
      form={form}
      onSubmit={submit}
      onClose={onClose}
      title={created ? "Secret of the new webhook" : "Add webhook"}
      description="Sends a POST for each chosen event, signed by Standard Webhooks."
      action="Add webhook"
      done={created && <ShownSecret secret={created.secret} />}
    >
      <WebhookFields form={form} />
    </FormDialog>
  );
}
