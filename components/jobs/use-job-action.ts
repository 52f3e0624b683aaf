"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";

/** Cancels a job or retries a failed one. */
export function useJobAction(projectId: string, action: "cancel" | "retry") {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) => api.post(`/jobs/${jobId}/${action}`, {}),
    onSuccess: () =>
      toast.success(action === "cancel" ? "Cancelling the job." : "The job was started again."),
    onError: (error) => toast.error(error.message),
    onSettled: () => client.invalidateQueries({ queryKey: keys.jobs(projectId) }),
  });
}
