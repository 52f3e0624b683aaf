"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { CreateWebhook, type WebhookWithSecret } from "#lib/contract/webhooks";
import { ShownSecret } from "./shown-secret.tsx";
import { eventTexts } from "./webhook-text.ts";

export default function CreateWebhookDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const client = useQueryClient();
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const { form, submitWith } = useServerForm(CreateWebhook, { url: "", events: ["scenario-completed"] });
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
      <TextField form={form} name="url" label="URL" type="url" placeholder="https://example.com/hooks" />
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-medium">Events</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {Object.entries(eventTexts).map(([name, text]) => (
            <Checkbox key={name} value={name} {...form.register("events")}>
              {text}
            </Checkbox>
          ))}
        </div>
        <FormError message={form.formState.errors.events?.message} />
      </fieldset>
    </FormDialog>
  );
}
