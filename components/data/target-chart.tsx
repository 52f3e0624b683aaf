"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { axisOf } from "#components/chart/axis.ts";
import { columnOf } from "#components/chart/columns.ts";
import { ComparisonChart } from "#components/chart/comparison-chart.tsx";
import { baselineSeries, type PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import type { SeriesCalendar } from "#components/time/period.ts";
import { palette } from "#components/ui/palette.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import type { TargetSeries } from "#lib/contract/target-series";

const height = 220;

/** Draws the dataset's target over time, or over the rows without a timestamp. */
export function TargetChart({ projectId, dataset }: { projectId: string; dataset: Dataset }) {
  const { data, error, refetch } = useQuery(queries.targetSeries(projectId));
  const shown = useTarget();
  const calendar = useCalendar();
  const prepared = useMemo(
    () => data && prepareTarget(data, shown.name, calendar),
    [data, shown.name, calendar],
  );
  const target = dataset.columns.find(({ name }) => name === dataset.target);
  return (
    <div className="px-2 pb-4">
      <h3 dir="auto" className="px-3 pb-1 text-[13px] font-medium" title={dataset.target}>
        {shown.name} over {dataset.timestamp ? "time" : "the rows"}
        {dataset.series && `, total of ${counted(dataset.series.count, "series", "series")}`}
      </h3>
      <div className="min-h-[220px]">
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!prepared && !error && (
          <div className="p-3">
            <Skeleton className="h-48" />
          </div>
        )}
        {prepared && (
          <ComparisonChart
            prepared={prepared}
            measure="value"
            height={height}
            label={
              dataset.series
                ? `${shown.name}, total of ${counted(dataset.series.count, "series", "series")}`
                : `${shown.name} in ${counted(dataset.rowCount, "row")}, from ${shown.format(target?.min)} to ${shown.text(target?.max)}`
            }
            withDifferences={false}
          />
        )}
      </div>
    </div>
  );
}

function prepareTarget(
  { timestamps, rows, values }: TargetSeries,
  title: string,
  calendar: SeriesCalendar,
): PreparedComparison {
  return {
    ...axisOf({ timestamps, rows }, calendar),
    series: [baselineSeries({ id: "target", title, color: palette[0]! }, columnOf(values), null)],
  };
}
