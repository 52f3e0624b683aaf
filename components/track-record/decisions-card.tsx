"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useTarget } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger, formatInterval } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { DecisionOutcome } from "#lib/contract/saved-comparisons";

/** Lists the decisions of a project with what was expected and what came. */
export function DecisionsCard({ projectId }: { projectId: string }) {
  const decisions = useQuery(queries.decisions(projectId));
  const mayDecide = useMay()("updateComparison");
  const target = useTarget();
  const nameOf = useMemberNames();
  const { data } = decisions;
  const format = target.formatOf(
    data?.flatMap(({ total, lower, upper, actual }) => [total, lower, upper, actual]) ?? [],
  );
  const columns: DataColumn<DecisionOutcome>[] = [
    [
      "Decision",
      (one) => (
        <>
          <Link
            dir="auto"
            className="font-medium hover:underline [overflow-wrap:anywhere]"
            href={`/projects/${projectId}/scenarios/${one.scenarioId}?run=${one.runId}`}
          >
            {one.scenarioTitle}
          </Link>
          <bdi className="block text-xs text-ink-faint [overflow-wrap:anywhere]">{one.comparisonName}</bdi>
        </>
      ),
      "min-w-40",
    ],
    [
      "Reason",
      ({ reason }) => (
        <span dir="auto" className="[overflow-wrap:anywhere]">
          {reason}
        </span>
      ),
      "min-w-40",
    ],
    [
      "Decided by",
      ({ decidedBy, decidedAt }) => (
        <>
          {nameOf(decidedBy)}, <Time at={decidedAt} />
        </>
      ),
      "text-ink-soft",
    ],
    [
      target.head("Expected total"),
      ({ total, lower, upper }) => (
        <>
          {format(total)}
          <span className="block text-xs whitespace-nowrap text-ink-faint">
            {formatInterval(lower, upper, format)}
          </span>
        </>
      ),
      "text-right",
    ],
    [
      target.head("What came"),
      ({ actual, actualRows, rows }) => (
        <>
          {format(actual)}
          <span className="block text-xs whitespace-nowrap text-ink-faint">
            {formatInteger(actualRows)} of {formatInteger(rows)} values
          </span>
        </>
      ),
      "text-right",
    ],
  ];
  return (
    <Card>
      <CardHeader
        title="Decisions"
        description={
          data?.length
            ? "Expected totals at the time of each decision. Compare them with the actual values once all have arrived."
            : mayDecide
              ? "Save a comparison of scenarios, then record which one you chose and why."
              : "None yet. Analysts and admins of the project record decisions on saved comparisons."
        }
      />
      <QueryState query={decisions} rows={1} inCard />
      {data && data.length > 0 && (
        <DataTable columns={columns} rows={data} keyOf={(one) => one.comparisonId} />
      )}
    </Card>
  );
}
