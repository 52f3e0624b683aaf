"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import type { Dataset } from "#lib/contract/datasets";

/** Columns to put on a list of the dataset, and to take off. */
export type ListChange = { list: "exclude" | "confirmed"; add: readonly string[]; remove: readonly string[] };

/**
 * Returns a mutation that changes the stored dataset's settings. Its toast offers to undo the change. It changes the
 * lists as they are stored now, so columns that others excluded meanwhile stay excluded.
 */
export function useUpdateDataset(projectId: string) {
  const client = useQueryClient();
  const path = `/projects/${projectId}/dataset` as const;
  const send = async ({ list, add, remove }: ListChange) => {
    const saved = await changeResource(path, (stored, etag) => {
      const before = list === "exclude" ? excludedOf(stored) : stored.confirmed;
      const kept = before.filter((name) => !remove.includes(name));
      return api.patch(path, { [list]: [...new Set([...kept, ...add])] }, etag);
    });
    client.setQueryData(keys.dataset(projectId), saved);
    await client.invalidateQueries({ queryKey: keys.project(projectId) });
    return saved;
  };
  return useMutation({
    mutationFn: ({ change }: { change: ListChange; done: string }) => send(change),
    onSuccess: (_, { change, done }) =>
      toastWithUndo(done, () => send({ ...change, add: change.remove, remove: change.add })),
    onError: (error) => toast.error(error.message),
  });
}

/** Returns the names of the excluded columns. */
export function excludedOf({ columns }: Pick<Dataset, "columns">): string[] {
  return columns.filter(({ role }) => role === "excluded").map(({ name }) => name);
}
