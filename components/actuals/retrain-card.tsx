"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import type { Model } from "#lib/contract/models";

/** Returns how many more rows the dataset has than at the training; 0 if unknown, or for another target. */
export function rowsSince(model: Model, dataset: Dataset | null | undefined): number {
  if (!dataset || model.datasetRows === null || model.request === null) return 0;
  if (dataset.target !== model.target) return 0;
  return Math.max(0, dataset.rowCount - model.datasetRows);
}

/** Retrains on the longer history with one click and the current model's settings. */
export function RetrainCard({ model, rows, busy }: { model: Model; rows: number; busy: boolean }) {
  const client = useQueryClient();
  const train = useMutation({
    mutationFn: () => api.post(`/projects/${model.projectId}/models/train`, model.request ?? {}),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.project(model.projectId) }),
    onError: (error) => toast.error(error.message),
  });
  if (rows === 0) return null;
  const more = counted(rows, "more row");
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 border-accent/40 p-5">
      <p className="min-w-0 text-[13px]">
        The dataset has {more} than at this model's training. Predictions already use them as history.
        Retraining also learns from them, with the same settings.
      </p>
      <Button busy={train.isPending} disabled={busy} onClick={() => train.mutate()}>
        Retrain on {more}
      </Button>
    </Card>
  );
}
