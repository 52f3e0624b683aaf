"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { formatInteger } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { counted } from "#lib/contract/counted";

const NAMED_MAX = 8;

/**
 * Lists by name the newest scenarios that use a checkpoint, and counts the others, including those of other projects.
 *
 * @param count total number of scenarios that use the checkpoint, at least 1
 */
export function CheckpointScenarios({
  checkpoint: { id, projectId },
  count,
}: {
  checkpoint: Pick<Checkpoint, "id" | "projectId">;
  count: number;
}) {
  const scenarios = useInfiniteQuery(queries.scenarios(projectId));
  if (scenarios.isPending) return <Skeleton className="h-5 w-2/3" />;
  const named = (scenarios.data ?? []).filter(({ checkpointId }) => checkpointId === id).slice(0, NAMED_MAX);
  const others = count - named.length;
  return (
    <ul className="text-[13px]">
      {named.map((scenario) => (
        <li key={scenario.id}>
          <Link
            dir="auto"
            title={scenario.title}
            className="inline-block max-w-full truncate rounded-sm py-1 align-top text-accent underline"
            href={`/projects/${projectId}/scenarios/${scenario.id}`}
          >
            {scenario.title}
          </Link>
        </li>
      ))}
      {others > 0 && (
        <li className="py-1 text-ink-faint">
          {named.length > 0
            ? `and ${formatInteger(others)} more`
            : `${counted(others, "scenario")}${scenarios.isError ? "" : ", older or in downstream projects"}`}
        </li>
      )}
    </ul>
  );
}
