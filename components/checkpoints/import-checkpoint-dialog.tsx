"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { sendCsv } from "#components/csv/send-csv.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { NewCheckpointFields } from "#components/model/new-checkpoint-fields.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { CreateCheckpoint } from "#lib/contract/checkpoints";

/**
 * Imports an exported checkpoint. This dialog shows problems with the file; the job reports problems with the model.
 */
export default function ImportCheckpointDialog({
  projectId,
  onClose,
}: {
  projectId: string;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const { form, submitWith } = useServerForm(CreateCheckpoint, { setAsDefault: false });
  const submit = submitWith(async (values) => {
    if (!file) {
      form.setError("root", { message: "Choose a checkpoint file." });
      return;
    }
    try {
      const source = await sendCsv(projectId, file, setSent, "application/octet-stream");
      await api.post(`/projects/${projectId}/checkpoints/import`, { ...values, ...source });
      await client.invalidateQueries({ queryKey: keys.jobs(projectId) });
      toast.success("The file is complete. The service tests its model and notifies you here.");
      onClose();
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
      <NewCheckpointFields form={form} labelHelp="Default: the label in the file" />
      {sent !== null && <Progress value={sent * 100} label="Uploading" />}
    </FormDialog>
  );
}
