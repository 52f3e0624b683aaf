"use client";

import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { type Checkpoint, Label, type UpdateCheckpoint } from "#lib/contract/checkpoints";
import { Description } from "#lib/contract/common";

const Names = z.object({ label: Label, description: Description });

export default function EditCheckpointDialog({
  checkpoint,
  onClose,
}: {
  checkpoint: Checkpoint;
  onClose(): void;
}) {
  const client = useQueryClient();
  const { form, submitWith, onlyDirty } = useServerForm(Names, {
    label: checkpoint.label,
    description: checkpoint.description ?? "",
  });
  const change = async (names: UpdateCheckpoint) => {
    await api.put(`/projects/${checkpoint.projectId}/checkpoints/${checkpoint.id}`, names);
    await client.invalidateQueries({ queryKey: keys.project(checkpoint.projectId) });
  };
  const submit = submitWith(async ({ label, description }) => {
    const before = onlyDirty({ label: checkpoint.label, description: checkpoint.description });
    await change(onlyDirty({ label, description: description.trim() === "" ? null : description }));
    onClose();
    toastWithUndo(`“${label}” was changed.`, () => change(before));
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Rename or describe"
      form={form}
      onSubmit={submit}
      action="Save"
      disabled={!form.formState.isDirty}
    >
      <TextField form={form} name="label" label="Label" />
      <TextField form={form} name="description" label="Description" optional rows={3} />
    </FormDialog>
  );
}
