"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { queries } from "#components/api/queries.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { CreateCheckpoint } from "#lib/contract/checkpoints";
import type { Model } from "#lib/contract/models";
import { CheckpointFields } from "./checkpoint-fields.tsx";
import { formatMetric, metricName } from "./metric-text.ts";

/** Saves the current model, or an earlier one, as a checkpoint. */
export function SaveModelDialog({
  projectId,
  earlier = null,
  onClose,
}: {
  projectId: string;
  earlier?: Model | null;
  onClose(): void;
}) {
  const client = useQueryClient();
  const project = useQuery(queries.project(projectId));
  const form = useForm<CreateCheckpoint>({
    resolver: zodResolver(CreateCheckpoint),
    defaultValues: { setAsDefault: false },
  });
  const { errors } = form.formState;
  const model = earlier ?? project.data?.currentModel;
  const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  const submit = form.handleSubmit(async ({ label, description, setAsDefault }) => {
    try {
      await api.post(`/projects/${projectId}/checkpoints`, {
        ...(earlier && { modelId: earlier.id }),
        ...(label && { label }),
        ...(description && { description }),
        ...(setAsDefault && { setAsDefault }),
      });
      await client.invalidateQueries({ queryKey: keys.jobs(projectId) });
      toast.success("Saving the checkpoint. You are notified here when it is ready.");
      onClose();
    } catch (error) {
      showServerIssues(error, form.setError, ["label", "description"]);
    }
  });
  return (
    <FormDialog
      onClose={onClose}
      title={earlier ? "Save an earlier model" : "Save the current model"}
      description={
        model
          ? `${model.modelName}, ${metricName(model.targetMetric)} ${formatMetric(model.targetMetric, model.primaryMetricValue)}. Later training does not change the checkpoint.`
          : "A checkpoint keeps the model as it is now. Later training does not change it."
      }
      form={form}
      onSubmit={submit}
      action="Save checkpoint"
    >
      <CheckpointFields
        register={form.register}
        errors={errors}
        labelHelp={`Default: ${project.data ? `${project.data.name}_${today}` : "the project's name and today's date"}`}
      />
    </FormDialog>
  );
}
