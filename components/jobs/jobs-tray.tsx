"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { Link } from "#components/ui/link.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import { isActive, jobTitles } from "./job-text.ts";

/** Shows the running jobs on every page of the project. */
export function JobsTray({ projectId }: { projectId: string }) {
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const running = jobs.data?.filter(isActive) ?? [];
  const first = running[0];
  if (!first) return null;
  return (
    <Link
      href={`/projects/${projectId}/jobs`}
      className="figures flex items-center gap-2 rounded-full bg-accent-wash px-3 py-1 text-xs font-medium whitespace-nowrap text-accent"
    >
      <Spinner />
      {running.length === 1 ? (
        <span>
          <span className="sr-only sm:not-sr-only">{jobTitles[first.type]} · </span>
          {Math.floor(first.progress)} %
        </span>
      ) : (
        <span>
          {running.length} <span className="sr-only sm:not-sr-only">jobs running</span>
        </span>
      )}
    </Link>
  );
}
