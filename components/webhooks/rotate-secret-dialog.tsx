"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, keys } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Select } from "#components/ui/input.tsx";
import { RotateWebhook, type Webhook } from "#lib/contract/webhooks";
import { ShownSecret } from "./shown-secret.tsx";

const overlaps = [
  [86_400, "for 1 day"],
  [7 * 86_400, "for 1 week"],
  [3_600, "for 1 hour"],
  [0, "no longer"],
] as const;

/** Replaces the secret of a webhook. Both secrets sign for the chosen time, so that the receiver can switch. */
export default function RotateSecretDialog({
  webhook,
  onClose,
}: {
  /** The webhook as the user saw it. */
  webhook: Webhook;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const { form, submitWith } = useServerForm(RotateWebhook, { overlapSeconds: overlaps[0][0] });
  const submit = submitWith(async (body) => {
    const path = `/projects/${webhook.projectId}/webhooks/${webhook.id}` as const;
    try {
      const rotated = await changeResource(path, (stored, etag) => {
        if (stored.rotatedAt !== webhook.rotatedAt) {
          throw new ApiError(0, {
            message: "The secret was rotated elsewhere. Close the dialog, and use the newest secret.",
          });
        }
        return api.postTo(`${path}/rotate`, body, etag);
      });
      setSecret(rotated.secret);
    } finally {
      await client.invalidateQueries({ queryKey: keys.project(webhook.projectId) });
    }
  });
  return (
    <FormDialog
      form={form}
      onSubmit={submit}
      onClose={onClose}
      title={secret ? "New secret" : "Rotate the secret"}
      description="Creates a new secret for this webhook."
      action="Rotate secret"
      done={secret && <ShownSecret secret={secret} />}
    >
      <Field
        label="The old secret signs"
        help="Time to update the receiver"
        error={form.formState.errors.overlapSeconds?.message}
      >
        <Select {...form.register("overlapSeconds", { valueAsNumber: true })} options={overlaps} />
      </Field>
    </FormDialog>
  );
}
