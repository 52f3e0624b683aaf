"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { ApiError, api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { counted } from "#lib/contract/counted";
import { CheckpointScenarios } from "./checkpoint-scenarios.tsx";

/**
 * Asks whether to delete a checkpoint. If scenarios use the checkpoint, lists them instead, because they must be deleted
 * first.
 */
export default function DeleteCheckpointDialog({
  checkpoint,
  onClose,
}: {
  checkpoint: Checkpoint;
  onClose(): void;
}) {
  const { projectId, label } = checkpoint;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.delete(`/projects/${projectId}/checkpoints/${checkpoint.id}`),
    onSuccess: () => {
      toast.success(`“${label}” was deleted.`);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
  const rejected =
    remove.error instanceof ApiError && remove.error.code === "checkpoint_in_use" ? remove.error : null;
  const detail = useQuery(queries.checkpoint(projectId, checkpoint.id));
  const count = (detail.data ?? checkpoint).usedByScenarios ?? 0;
  return (
    <ConfirmDialog
      open
      title={`Delete “${label}”?`}
      action="Delete checkpoint"
      busy={remove.isPending}
      disabled={count > 0}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      {rejected !== null && count > 0 ? (
        <div role="alert" className="space-y-3">
          <p className="text-bad">Scenarios use this checkpoint. Delete these scenarios first:</p>
          <ul className="max-h-60 space-y-1.5 overflow-y-auto">
            {rejected.details.map(({ id, value, ...reference }) => (
              <li key={id ?? "more"}>
                {id === undefined ? (
                  "More scenarios use it."
                ) : (
                  <Link
                    className="rounded-sm font-medium text-accent underline"
                    href={`/projects/${reference.projectId ?? projectId}/scenarios/${id}`}
                  >
                    {value ?? id}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </div>
      ) : count > 0 ? (
        <div className="space-y-3">
          <p>
            {counted(count, "scenario uses", "scenarios use")} this checkpoint. Delete{" "}
            {count === 1 ? "the scenario" : "the scenarios"} first:
          </p>
          <CheckpointScenarios checkpoint={checkpoint} count={count} />
        </div>
      ) : (
        <div className="space-y-3">
          {rejected === null && <FormError message={remove.error?.message} />}
          <p>
            This snapshot of the {checkpoint.modelName} model is removed permanently. Predictions with this
            checkpoint are no longer possible.{" "}
            {checkpoint.isDefault &&
              "This is the default. The newest other checkpoint becomes the default. If no other checkpoint exists, predictions use the current model."}
          </p>
        </div>
      )}
    </ConfirmDialog>
  );
}
