"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { queries } from "#components/api/queries.ts";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import type { Checkpoint } from "#lib/contract/checkpoints";

/** Makes a checkpoint the default, with an optimistic update. Reverts if the service rejects the change, or on Undo. */
export function useMakeDefault(projectId: string) {
  const client = useQueryClient();
  const { queryKey } = queries.checkpoints(projectId);
  const change = (id: string) => api.put(`/projects/${projectId}/checkpoints/${id}`, { setAsDefault: true });
  const refresh = () => client.invalidateQueries({ queryKey: keys.project(projectId) });
  return useMutation({
    mutationFn: ({ id }: Checkpoint) => change(id),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey, exact: true });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (list) => list?.map((item) => ({ ...item, isDefault: item.id === id })));
      return before;
    },
    onSuccess: (_, { label }, before) => {
      const former = before?.find(({ isDefault }) => isDefault);
      const message = `“${label}” is now the default.`;
      if (!former) toast.success(message);
      else toastWithUndo(message, () => change(former.id).finally(refresh));
    },
    onError: (error, _, before) => {
      client.setQueryData(queryKey, before);
      toast.error(error.message);
    },
    onSettled: refresh,
  });
}
