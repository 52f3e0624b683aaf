"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { prepareActuals } from "#components/actuals/prepare-actuals.ts";
import { queries } from "#components/api/queries.ts";
import { fanLevels } from "#components/chart/columns.ts";
import { ComparisonChart } from "#components/chart/comparison-chart.tsx";
import { prepareSeries } from "#components/chart/prepare-series.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatNumber } from "#components/ui/format.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { goesOutside, useOutside } from "./use-outside.ts";

const chartPoints = 1_000;

/** Chart of the predictions with their interval. */
export function ScenarioChart({ scenario }: { scenario: Scenario }) {
  const chart = useQuery(queries.predictionChart(scenario.projectId, scenario.id, chartPoints, fanLevels));
  const actuals = useQuery(queries.actuals(scenario.projectId, scenario.id));
  const arrived = actuals.data?.errors ? actuals.data : null;
  const prepared = useMemo(
    () => (arrived ? prepareActuals(arrived, scenario) : chart.data && prepareSeries(chart.data, scenario)),
    [arrived, chart.data, scenario],
  );
  const shown = useMemo(() => [scenario], [scenario]);
  const extrapolation = useQuery(queries.extrapolation(scenario.projectId, scenario.id)).data;
  const known = useMemo(
    () => new Map(extrapolation ? [[scenario.id, extrapolation]] : []),
    [scenario.id, extrapolation],
  );
  const outside = useOutside(shown, known, prepared);
  // Reserves space for the note before its text arrives, so that the layout does not shift.
  const awaitsNote = !extrapolation && goesOutside(scenario);
  const inner = prepared?.series.some(({ band }) => band?.inner) ?? true;
  return (
    <Card>
      <CardHeader
        title="Predictions"
        description={
          scenario.summary &&
          `Mean ${formatNumber(scenario.summary.mean)}, from ${formatNumber(scenario.summary.min)} to ${formatNumber(scenario.summary.max)}${!prepared || prepared.series.some(({ band }) => band !== null) ? `; ${inner ? "bands: 50, 80 and 90 % prediction intervals" : "band: 90 % prediction interval"}` : ""}${arrived ? "; dashed: actuals" : ""}.`
        }
      />
      <div className="px-2 pb-3">
        <div className="min-h-[319px]">
          {chart.error && <ErrorState error={chart.error} onRetry={chart.refetch} />}
          {chart.isPending && !prepared && (
            <div className="p-3">
              <Skeleton className="h-72" />
            </div>
          )}
          {prepared && (
            <ComparisonChart
              prepared={prepared}
              measure="value"
              bands
              height={320}
              label={`Predictions of ${scenario.title}: mean ${formatNumber(scenario.summary?.mean)}`}
              withDifferences={false}
              outside={outside.marks}
            />
          )}
        </div>
        {(outside.text || awaitsNote) && (
          <p className="min-h-[calc(1lh+--spacing(2))] px-3 pt-2 text-xs text-warn">{outside.text}</p>
        )}
      </div>
    </Card>
  );
}
