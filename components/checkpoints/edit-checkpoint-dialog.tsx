"use client";

import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { api, keys } from "#components/api/client.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { pickChanged } from "#components/edit/pick-changed.ts";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { type Checkpoint, Label } from "#lib/contract/checkpoints";
import { Description } from "#lib/contract/common";

const Names = z.object({ label: Label, description: Description });

const read = ({ label, description }: Checkpoint) => ({ label, description: description ?? "" });

export default function EditCheckpointDialog({
  checkpoint,
  onClose,
}: {
  checkpoint: Checkpoint;
  onClose(): void;
}) {
  const client = useQueryClient();
  const path = `/projects/${checkpoint.projectId}/checkpoints/${checkpoint.id}` as const;
  const { form, submit, conflict } = useEditForm(
    Names,
    read(checkpoint),
    {
      path,
      read,
      fields: [
        { path: "label", label: "Label" },
        { path: "description", label: "Description" },
      ],
      send: (edits, etag) => api.put(path, pickChanged(edits, ["description"]), etag),
    },
    {
      refresh: () => client.invalidateQueries({ queryKey: keys.project(checkpoint.projectId) }),
      done: onClose,
      message: ({ label }) => `“${label}” was changed.`,
    },
  );
  return (
    <FormDialog
      onClose={onClose}
      title="Rename or describe"
      form={form}
      onSubmit={submit}
      action="Save"
      disabled={!form.formState.isDirty}
    >
      <EditConflict conflict={conflict} />
      <TextField form={form} name="label" label="Label" />
      <TextField form={form} name="description" label="Description" optional rows={3} />
    </FormDialog>
  );
}
