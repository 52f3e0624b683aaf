"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { RowPager } from "#components/ui/row-pager.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { Scenario } from "#lib/contract/scenarios";
import { RowTable } from "./row-table.tsx";
import { actualsByTime, stretchOf } from "./row-text.ts";
import { goesOutside } from "./use-outside.ts";

const pageSize = 10;
const offsetOf = (row: number) => Math.floor((row - 1) / pageSize) * pageSize;

/** Shows inputs and predictions page by page, with an explanation of the selected row. */
export function ScenarioRowsCard({
  scenario,
  run,
  row,
  series = null,
  onRow,
}: {
  scenario: Scenario;
  /** Earlier run that the scenario shows. */
  run?: string;
  /** Of many series, the rows to include; null for one series. */
  series?: { where: readonly string[] } | null;
  /** Selected row, starting at 1. */
  row: number;
  onRow(row: number): void;
}) {
  const { projectId, id, rowCount } = scenario;
  const where = series?.where ?? [];
  const [offset, setOffset] = useState(offsetOf(row));
  const [followed, setFollowed] = useState(row);
  if (followed !== row) {
    setFollowed(row);
    // The numbers of chosen rows do not give their page.
    if (where.length === 0) setOffset(offsetOf(row));
  }
  const [shownWhere, setShownWhere] = useState(where);
  if (shownWhere.join("\n") !== where.join("\n")) {
    setShownWhere(where);
    setOffset(0);
  }
  const page = { offset, limit: pageSize, where, run };
  const { data, error, refetch } = useQuery(queries.scenarioRows(projectId, id, page));
  // Known only for the run that completed last.
  const marked = useQuery({ ...queries.extrapolation(projectId, id), enabled: run === undefined });
  const extrapolation = run === undefined ? marked.data : { features: [] };
  const outside = extrapolation?.features ?? [];
  const marksValues = extrapolation ? outside.length > 0 : goesOutside(scenario);
  const actual = useActualRows({ projectId, id, run }, data, series === null);
  const total = (where.length > 0 ? data?.rowCount : null) ?? rowCount ?? 0;
  return (
    <Card>
      <CardHeader
        title="Rows"
        description={`Inputs and predictions. Select a row for an explanation.${marksValues ? " Marked values are outside the known range." : ""}`}
        actions={<RowPager {...{ offset, pageSize, total, onOffset: setOffset }} />}
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {(!data || actual.isAsked) && !error && <SkeletonRows rows={Math.min(pageSize, total)} />}
      {actual.error && (
        <p role="alert" className="px-5 pb-3 text-[13px] text-bad">
          Actuals could not be loaded: {actual.error.message}
        </p>
      )}
      {data && !actual.isAsked && (
        <RowTable
          page={data}
          outside={outside}
          actualAt={actual.isKnown && !actual.error ? actual.at : null}
          row={row}
          onRow={onRow}
        />
      )}
    </Card>
  );
}

/**
 * Returns the actuals of a page of rows.
 *
 * @returns `isAsked` while it is unknown whether any row has an actual, and `isKnown` if one has; `at` returns the
 *   actual at a row's time (ISO 8601), or undefined while the page is loading
 */
function useActualRows(
  { projectId, id, run }: { projectId: string; id: string; run: string | undefined },
  page: ScenarioRows | undefined,
  /** Whether the rows are of one series. The actuals of many are sums, not those of rows. */
  isOneSeries: boolean,
) {
  const all = useQuery({ ...queries.actuals(projectId, id, [], run), enabled: isOneSeries });
  const isKnown = isOneSeries && all.data !== undefined && all.data.errors !== null;
  const stretch = stretchOf(page?.rows ?? []);
  const { data, error } = useQuery({
    ...queries.actualRows(projectId, id, { from: stretch?.from ?? "", to: stretch?.to ?? "", run }),
    enabled: isKnown && stretch !== null,
  });
  const byTime = useMemo(() => actualsByTime(data), [data]);
  return {
    isAsked: isOneSeries && all.isPending && all.failureCount === 0,
    isKnown,
    error,
    at: (time: string | null): number | null | undefined => {
      if (time === null) return null;
      return data === undefined ? undefined : (byTime.get(time) ?? null);
    },
  };
}
