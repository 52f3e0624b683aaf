"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import { axisOf } from "#components/chart/axis.ts";
import { columnOf } from "#components/chart/columns.ts";
import { baselineSeries } from "#components/chart/prepare-comparison.ts";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import { CHARTS_STEP, SmallCharts } from "#components/panel/small-charts.tsx";
import { seriesTimes } from "#components/time/period.ts";
import { Button } from "#components/ui/button.tsx";
import { palette } from "#components/ui/palette.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import type { ListedSeries } from "#lib/contract/series";

/** Points of a small chart. */
const POINTS = 150;

/** Draws the target of each listed series, some at first and more on request. */
export function SeriesCharts({
  projectId,
  dataset,
  listed,
}: {
  projectId: string;
  dataset: Dataset;
  listed: readonly ListedSeries[];
}) {
  const [count, setCount] = useState(CHARTS_STEP);
  const shown = listed.slice(0, count);
  const pages = Array.from({ length: Math.ceil(shown.length / CHARTS_STEP) }, (_, page) =>
    shown.slice(page * CHARTS_STEP, (page + 1) * CHARTS_STEP),
  );
  return (
    <div className="space-y-5 px-5 pb-5">
      {pages.map((page) => (
        <Page key={page[0]!.id} {...{ projectId, dataset, page }} />
      ))}
      {listed.length > count && (
        <Button size="sm" className="print:hidden" onClick={() => setCount(count + CHARTS_STEP)}>
          Show {CHARTS_STEP} more
        </Button>
      )}
    </div>
  );
}

function Page({
  projectId,
  dataset,
  page,
}: {
  projectId: string;
  dataset: Dataset;
  page: readonly ListedSeries[];
}) {
  const query = queryOf({ maxPoints: POINTS, series: page.map(({ id }) => id) });
  const { data, error, refetch } = useQuery(queries.targetSpan(projectId, query));
  const calendar = useCalendar();
  const target = useTarget();
  const charts = useMemo(() => {
    if (!data) return undefined;
    const axis = axisOf(data, calendar);
    const valuesOf = new Map(data.series?.map(({ id, values }) => [id, values]));
    return page.map((one) => {
      const title = Object.values(one.values).join(", ");
      const line = { id: one.id, title: target.name, color: palette[0]! };
      return {
        key: one.id,
        title,
        hint: `${counted(one.rowCount, "row")} to ${seriesTimes([one.lastTimestamp], dataset)[0]}${one.gaps === 0 ? "" : `, ${counted(one.gaps, "gap")}`}`,
        label: `${target.name} of ${title}`,
        prepared: { ...axis, series: [baselineSeries(line, columnOf(valuesOf.get(one.id) ?? []), null)] },
      };
    });
  }, [data, page, calendar, target.name, dataset]);
  if (error && !charts) return <ErrorState error={error} onRetry={refetch} />;
  if (!charts) return <Skeleton className="h-96" />;
  return <SmallCharts charts={charts} />;
}
