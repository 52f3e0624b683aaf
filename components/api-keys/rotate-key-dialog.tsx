"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, keys } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Select } from "#components/ui/input.tsx";
import { type ApiKey, type CreatedApiKey, RotateApiKey } from "#lib/contract/api-keys";
import { CreatedKey } from "./created-key.tsx";

const overlaps = [
  [86_400, "for 1 day"],
  [7 * 86_400, "for 1 week"],
  [3_600, "for 1 hour"],
  [0, "no longer: revoke it now"],
] as const;

/** Replaces a key. The old key stays valid for the chosen time so that programs can switch. */
export default function RotateKeyDialog({
  projectId,
  apiKey,
  onClose,
}: {
  projectId: string;
  /** The key as the user saw it. */
  apiKey: ApiKey;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const { form, submitWith } = useServerForm(RotateApiKey, { overlapSeconds: overlaps[0][0] });
  const submit = submitWith(async (body) => {
    try {
      const path = `/projects/${projectId}/api-keys/${apiKey.id}` as const;
      const created = await changeResource(path, (stored, etag) => {
        // The time of the last request also changes the version, but does not concern the rotation.
        if (stored.expiresAt !== apiKey.expiresAt || stored.revokedAt !== apiKey.revokedAt) {
          throw new ApiError(0, {
            message: "This key was rotated or revoked elsewhere. Close the dialog to see its state.",
          });
        }
        return api.postTo(`${path}/rotate`, body, etag);
      });
      setCreated(created);
    } finally {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
    }
  });
  return (
    <FormDialog
      form={form}
      onSubmit={submit}
      onClose={onClose}
      title={created ? "Your new API key" : `Rotate “${apiKey.name}”`}
      description="Creates a new key with the same name."
      action="Rotate key"
      done={created && <CreatedKey projectId={projectId} created={created} />}
    >
      <Field
        label="The old key works"
        help="Time to update every program that uses it"
        error={form.formState.errors.overlapSeconds?.message}
      >
        <Select {...form.register("overlapSeconds", { valueAsNumber: true })} options={overlaps} />
      </Field>
    </FormDialog>
  );
}
