"use client";

import { useQueryClient } from "@tanstack/react-query";
import { api, keys } from "#components/api/client.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { CreateWebhook, type Webhook } from "#lib/contract/webhooks";
import { WebhookFields } from "./webhook-fields.tsx";
import { eventTexts, formatTexts } from "./webhook-text.ts";

const read = ({ url, events, format }: Webhook) => ({ url, events, format });

export default function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const client = useQueryClient();
  const { projectId, id } = webhook;
  const path = `/projects/${projectId}/webhooks/${id}` as const;
  const { form, submit, conflict } = useEditForm(
    CreateWebhook,
    read(webhook),
    {
      path,
      read,
      fields: [
        { path: "url", label: "URL" },
        {
          path: "format",
          label: "Format",
          text: (format) => formatTexts[format as Webhook["format"]],
        },
        {
          path: "events",
          label: "Events",
          text: (events) => (events as Webhook["events"]).map((name) => eventTexts[name]).join(", "),
        },
      ],
      send: ({ values }, etag) => api.patch(path, values, etag),
    },
    {
      refresh: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
      done: onClose,
      message: ({ url }) => `The webhook to ${new URL(url).hostname} was changed.`,
    },
  );
  return (
    <FormDialog
      form={form}
      onSubmit={submit}
      onClose={onClose}
      title="Edit webhook"
      description="The secret stays the same. Waiting deliveries go to the new address."
      action="Save"
      disabled={!form.formState.isDirty}
    >
      <EditConflict conflict={conflict} />
      <WebhookFields form={form} />
    </FormDialog>
  );
}
