"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import type { Dataset, UpdateDataset } from "#lib/contract/datasets";

/** Returns a mutation that changes the stored dataset's settings. Its toast offers to undo the change. */
export function useUpdateDataset(projectId: string, dataset: Dataset) {
  const client = useQueryClient();
  const send = async (change: UpdateDataset) => {
    const saved = await api.patch<Dataset>(`/projects/${projectId}/dataset`, change);
    client.setQueryData(keys.dataset(projectId), saved);
    await client.invalidateQueries({ queryKey: keys.project(projectId) });
    return saved;
  };
  const former: Required<Pick<UpdateDataset, "exclude" | "confirmed">> = {
    exclude: excludedOf(dataset),
    confirmed: dataset.confirmed,
  };
  return useMutation({
    mutationFn: ({ change }: { change: UpdateDataset; done: string }) => send(change),
    // When the change succeeds, `dataset` may already be the changed one.
    onMutate: () => former,
    onSuccess: (_, { done }, before) => toastWithUndo(done, () => send(before)),
    onError: (error) => toast.error(error.message),
  });
}

/** Returns the names of the excluded columns. */
export function excludedOf({ columns }: Pick<Dataset, "columns">): string[] {
  return columns.filter(({ role }) => role === "excluded").map(({ name }) => name);
}
