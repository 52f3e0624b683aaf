"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { axisOf } from "#components/chart/axis.ts";
import { columnOf } from "#components/chart/columns.ts";
import { ComparisonChart } from "#components/chart/comparison-chart.tsx";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { formatNumber } from "#components/ui/format.ts";
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
  const prepared = useMemo(() => data && prepareTarget(data), [data]);
  const target = dataset.columns.find(({ name }) => name === dataset.target);
  return (
    <div className="px-2 pb-4">
      <h3 className="px-3 pb-1 text-[13px] font-medium">
        <span className="font-mono text-xs">{dataset.target}</span> over{" "}
        {dataset.timestamp ? "time" : "the rows"}
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
            label={`${dataset.target} in ${counted(dataset.rowCount, "row")}, from ${formatNumber(target?.min)} to ${formatNumber(target?.max)}`}
            withDifferences={false}
          />
        )}
      </div>
    </div>
  );
}

function prepareTarget({ target, timestamps, rows, values }: TargetSeries): PreparedComparison {
  return {
    ...axisOf({ timestamps, rows }),
    series: [
      {
        id: "target",
        title: target,
        color: palette[0]!,
        dash: "",
        isBaseline: true,
        values: columnOf(values),
        differences: null,
        cumulative: null,
        band: null,
      },
    ],
  };
}
