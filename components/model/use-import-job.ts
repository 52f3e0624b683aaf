"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { isActive } from "#components/jobs/job-text.ts";
import type { Job } from "#lib/contract/jobs";

/**
 * Follows an import. `job` is null until it is in the list of jobs.
 *
 * @param onDone called when the import completes and offers no other output
 */
export function useImportJob(projectId: string, onDone: () => void) {
  const [jobId, follow] = useState<string | null>(null);
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const job: Job | null = jobs.data?.find(({ id }) => id === jobId) ?? null;
  const isDone = job?.status === "Completed" && job.outputOptions === null;
  const latestOnDone = useRef(onDone);
  latestOnDone.current = onDone;
  useEffect(() => {
    if (isDone) latestOnDone.current();
  }, [isDone]);
  return { job, follow, isRunning: jobId !== null && (job === null || isActive(job)) };
}
