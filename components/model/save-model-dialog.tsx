"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { generateLabel } from "#lib/contract/checkpoint-label";
import { CreateCheckpoint } from "#lib/contract/checkpoints";
import type { Model } from "#lib/contract/models";
import { formatMetric, metricName } from "./metric-text.ts";
import { NewCheckpointFields } from "./new-checkpoint-fields.tsx";

/** Saves the current model, or an earlier one, as a checkpoint. */
export default function SaveModelDialog({
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
  const { form, submitWith } = useServerForm(CreateCheckpoint, { setAsDefault: false });
  const model = earlier ?? project.data?.currentModel;
  const checkpoints = useQuery(queries.checkpoints(projectId));
  const nextLabel =
    project.data && checkpoints.data
      ? generateLabel(project.data.name, new Date(), new Set(checkpoints.data.map(({ label }) => label)))
      : "the project's name and today's date";
  const submit = submitWith(async (values) => {
    const body = earlier ? { ...values, modelId: earlier.id } : values;
    await api.post(`/projects/${projectId}/checkpoints`, body);
    await client.invalidateQueries({ queryKey: keys.jobs(projectId) });
    toast.success("Saving the checkpoint. You are notified here when it is ready.");
    onClose();
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
      action="Create checkpoint"
    >
      <NewCheckpointFields form={form} labelHelp={`Default: ${nextLabel}`} />
    </FormDialog>
  );
}
