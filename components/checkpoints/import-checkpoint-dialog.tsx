"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { sendCsv } from "#components/csv/send-csv.ts";
import { FormError, showServerFaults } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { FileDrop } from "#components/ui/file-drop.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { CreateCheckpoint } from "#lib/contract/checkpoints";
import { CheckpointFields } from "./checkpoint-fields.tsx";

/** A checkpoint of an exported one's file. What is wrong with the file is told here, what with its model by its job. */
export function ImportCheckpointDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const form = useForm<CreateCheckpoint>({
    resolver: zodResolver(CreateCheckpoint),
    defaultValues: { setAsDefault: false },
  });
  const { errors, isSubmitting } = form.formState;
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
      toast.success(
        "The file is whole. Its model is being tried; it will be announced here when it is ready.",
      );
      onClose();
    } catch (error) {
      showServerFaults(error, form.setError, ["label", "description"]);
    } finally {
      setSent(null);
    }
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import a checkpoint"
      description="One that was exported here or by another service. Every byte of the file is checked, and its model is tried on its own first. The current model stays what it is."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="import-checkpoint"
            look="primary"
            busy={isSubmitting}
            disabled={file === null}
          >
            Import checkpoint
          </Button>
        </>
      }
    >
      <form id="import-checkpoint" onSubmit={submit} noValidate className="space-y-4">
        <FormError message={errors.root?.message} />
        <FileDrop
          label="Choose a checkpoint's file"
          hint="or drop it here: .tar, as it was exported"
          accept=".tar,application/x-tar"
          file={file}
          onFile={(chosen) => {
            setFile(chosen);
            form.clearErrors();
          }}
        />
        <CheckpointFields
          register={form.register}
          errors={errors}
          labelHelp="Left empty: the label that it was exported with"
        />
        {sent !== null && <Progress value={sent * 100} label="Uploading" />}
      </form>
    </Dialog>
  );
}
