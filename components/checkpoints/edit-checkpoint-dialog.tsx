"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormError, showServerIssues } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
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
  const { errors, isSubmitting } = form.formState;
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
    <Dialog
      onClose={onClose}
      title="Rename or describe"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="edit-checkpoint" look="primary" busy={isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <form id="edit-checkpoint" onSubmit={submit} noValidate className="space-y-4 text-left">
        <FormError message={errors.root?.message} />
        <Field label="Label" error={errors.label?.message}>
          {(control) => <Input {...control} {...form.register("label")} />}
        </Field>
        <Field label="Description" optional error={errors.description?.message}>
          {(control) => <Textarea {...control} {...form.register("description")} />}
        </Field>
      </form>
    </Dialog>
  );
}
