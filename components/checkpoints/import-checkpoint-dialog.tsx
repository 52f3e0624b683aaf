"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { sendCsv } from "#components/csv/send-csv.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { CheckpointFields } from "#components/model/checkpoint-fields.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { CreateCheckpoint } from "#lib/contract/checkpoints";

/**
 * Imports an exported checkpoint. This dialog shows problems with the file; the job reports problems with the model.
 */
export function ImportCheckpointDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const form = useForm<CreateCheckpoint>({
    resolver: zodResolver(CreateCheckpoint),
    defaultValues: { setAsDefault: false },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async ({ label, description, setAsDefault }) => {
    if (!file) return;
    try {
      await api.post(`/projects/${projectId}/checkpoints/import`, {
        ...(await sendCsv(projectId, file, setSent, "application/octet-stream")),
        ...(label && { label }),
        ...(description && { description }),
        ...(setAsDefault && { setAsDefault }),
      });
      await client.invalidateQueries({ queryKey: keys.jobs(projectId) });
      toast.success("The file is complete. The service tests its model and notifies you here.");
      onClose();
    } catch (error) {
      showServerIssues(error, form.setError, ["label", "description"]);
    } finally {
      setSent(null);
    }
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Import a checkpoint"
      description="Upload a checkpoint that this or another service exported. The service verifies the file and tests the model. The current model does not change."
      form={form}
      onSubmit={submit}
      action="Import checkpoint"
      disabled={file === null}
    >
      <FileDrop
        label="Choose a checkpoint file"
        hint="or drop it here: .tar file of an export"
        accept=".tar,application/x-tar"
        file={file}
        onFile={(chosen) => {
          setFile(chosen);
          form.clearErrors();
        }}
      />
      <CheckpointFields register={form.register} errors={errors} labelHelp="Default: the label in the file" />
      {sent !== null && <Progress value={sent * 100} label="Uploading" />}
    </FormDialog>
  );
}
