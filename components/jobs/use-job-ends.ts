"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { queries } from "#components/api/queries.ts";
import type { Job, JobType } from "#lib/contract/jobs";
import { isActive } from "./job-text.ts";

/** Calls back for each job of these types that was seen running and has ended. */
export function useJobEnds(projectId: string, types: readonly JobType[], onEnd: (job: Job) => void): void {
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const running = useRef<ReadonlySet<string>>(new Set());
  const report = useEffectEvent(onEnd);
  const list = jobs.data;
  const typesKey = types.join();
  useEffect(() => {
    const all = (list ?? []).filter(({ type }) => typesKey.split(",").includes(type));
    for (const job of all) if (running.current.has(job.id) && !isActive(job)) report(job);
    running.current = new Set(all.filter(isActive).map(({ id }) => id));
  }, [list, typesKey]);
}
