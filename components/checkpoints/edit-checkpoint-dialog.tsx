"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { type Checkpoint, Label } from "#lib/contract/checkpoints";
import { Description } from "#lib/contract/common";

const Names = z.object({ label: Label, description: Description });

export function EditCheckpointDialog({ checkpoint, onClose }: { checkpoint: Checkpoint; onClose(): void }) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(Names),
    defaultValues: { label: checkpoint.label, description: checkpoint.description ?? "" },
  });
  const { errors } = form.formState;
  const change = async (names: { label: string; description: string | null }) => {
    await api.put(`/projects/${checkpoint.projectId}/checkpoints/${checkpoint.id}`, names);
    await client.invalidateQueries({ queryKey: keys.project(checkpoint.projectId) });
  };
  const submit = form.handleSubmit(async ({ label, description }) => {
    try {
      await change({ label, description: description.trim() === "" ? null : description });
      onClose();
      const before = { label: checkpoint.label, description: checkpoint.description };
      toastWithUndo(`“${label}” was changed.`, () => change(before));
    } catch (error) {
      showServerIssues(error, form.setError, ["label", "description"]);
    }
  });
  return (
    <FormDialog onClose={onClose} title="Rename or describe" form={form} onSubmit={submit} action="Save">
      <Field label="Label" error={errors.label?.message}>
        {(control) => <Input {...control} {...form.register("label")} />}
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...form.register("description")} />}
      </Field>
    </FormDialog>
  );
}
