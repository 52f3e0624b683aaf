"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { memo, type ReactNode, useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { runParam, whereParams } from "#components/api/query-of.ts";
import { bucketText, incompleteNote, incompleteText, rowLabels } from "#components/chart/axis.ts";
import { BucketControl } from "#components/chart/bucket-control.tsx";
import { type BucketChoice, bucketParams } from "#components/chart/bucket-state.ts";
import { ChartActions } from "#components/chart/chart-actions.tsx";
import { fanLevels } from "#components/chart/columns.ts";
import { pastParser } from "#components/chart/past-state.ts";
import { PointTable } from "#components/chart/point-table.tsx";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { withPast } from "#components/chart/prepare-past.ts";
import { type Edited, preparePreview } from "#components/chart/prepare-preview.ts";
import { prepareSeries } from "#components/chart/prepare-series.ts";
import { useSpan } from "#components/chart/use-span.ts";
import { ZoomableChart } from "#components/chart/zoomable-chart.tsx";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import type { Shown } from "#components/display/shown.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { formatInteger, formatInterval } from "#components/ui/format.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { PredictionChart } from "#lib/contract/scenario-series";
import type { Scenario, Summary } from "#lib/contract/scenarios";
import { goesOutside, useOutside } from "./use-outside.ts";
import { usePast } from "./use-past.ts";

/** Maximum number of points of the chart. */
export const chartPoints = 1_000;

const withoutGroups = ({ groups: _, ...points }: ScenarioActuals) => points;

/** Chart of the predictions with their interval, by row or aggregated. A preview takes the place of bands and actuals. */
export function ScenarioChart({
  scenario,
  run,
  choice,
  where = [],
  onChoice,
  edited,
  actions,
}: {
  scenario: Scenario;
  /** Earlier run that the scenario shows. */
  run?: string;
  /** Of many series, those to include. */
  where?: readonly string[];
  choice: BucketChoice;
  onChoice(change: Partial<BucketChoice>): void;
  edited: Edited | null;
  actions: ReactNode;
}) {
  const query = new URLSearchParams({
    maxPoints: String(chartPoints),
    levels: fanLevels,
    ...(scenario.firstTimestamp !== null && bucketParams(choice)),
  });
  const chartQuery = `${query}${whereParams(where)}${runParam(run)}`;
  const chart = useQuery(queries.predictionChart(scenario.projectId, scenario.id, chartQuery));
  const buckets = chart.data?.buckets;
  const actuals = useQuery(queries.actuals(scenario.projectId, scenario.id, where, run));
  const arrived = actuals.data?.errors ? actuals.data : null;
  const calendar = useCalendar();
  const own = useMemo(
    () =>
      arrived && chart.data && !chart.data.buckets
        ? prepareSeries({ ...withoutGroups(arrived), values: arrived.predicted }, scenario, calendar)
        : chart.data && prepareSeries(chart.data, scenario, calendar),
    [arrived, chart.data, scenario, calendar],
  );
  const target = useTarget();
  const [preview, previewColor] = [edited?.preview, edited?.color ?? ""];
  const withPreview = useMemo(
    () => preview && preparePreview(preview, scenario, previewColor, calendar),
    [preview, scenario, previewColor, calendar],
  );
  const chosen = withPreview ?? own;
  const [showsPast, setShowsPast] = useQueryState("past", pastParser);
  // Of chosen series, the dataset's totals are not the past.
  const past = usePast(scenario.projectId, chosen, showsPast && where.length === 0);
  const prepared = useMemo(() => chosen && withPast(chosen, past), [chosen, past]);
  const zoom = useSpan(prepared);
  const shown = useMemo(() => [scenario], [scenario]);
  const extrapolation = useQuery({
    ...queries.extrapolation(scenario.projectId, scenario.id),
    enabled: run === undefined,
  }).data;
  const known = useMemo(
    () => new Map(extrapolation && run === undefined ? [[scenario.id, extrapolation]] : []),
    [scenario.id, extrapolation, run],
  );
  const outside = useOutside(shown, known, prepared);
  // Reserves space for the note before its text arrives, so that the layout does not shift.
  const awaitsNote = run === undefined && !extrapolation && goesOutside(scenario);
  const title = `Predictions of ${target.name}${buckets ? `, ${bucketText(buckets)}` : ""}`;
  const baselineText = preview ? "saved" : "";
  return (
    <Card>
      <CardHeader
        title={title}
        actions={
          <>
            {scenario.firstTimestamp !== null && (
              <BucketControl choice={choice} shown={buckets} onChange={onChoice} />
            )}
            {scenario.firstTimestamp !== null && where.length === 0 && (
              <Checkbox
                checked={showsPast}
                // Takes its place before the values are loaded, so that the layout does not shift.
                disabled={showsPast && prepared?.origin === undefined}
                onChange={({ target }) => void setShowsPast(target.checked)}
              >
                Past
              </Checkbox>
            )}
            <ChartActions
              {...{ zoom, prepared, target, baselineText }}
              measure="value"
              bands
              title={`${title}, ${scenario.title}`}
            />
            {actions}
          </>
        }
        description={
          preview
            ? "Solid: saved. Dashed: edited, with prediction intervals."
            : where.length === 0 &&
              scenario.summary &&
              summaryText(scenario.summary, target, { prepared: chosen, isBucketed: buckets !== undefined })
        }
      />
      <div className="px-2 pb-3">
        <div className="min-h-[372px]">
          {chart.error && <ErrorState error={chart.error} onRetry={chart.refetch} />}
          {chart.isPending && !prepared && (
            <div className="p-3">
              <Skeleton className="h-72" />
            </div>
          )}
          {prepared && (
            <ZoomableChart
              prepared={prepared}
              zoom={zoom}
              measure="value"
              bands
              height={320}
              label={`Predictions of ${scenario.title}: mean ${target.text(scenario.summary?.mean)}${preview ? `, ${target.text(preview.summary.mean)} with edited inputs` : ""}`}
              withDifferences={preview !== undefined}
              baselineText={baselineText}
              outside={outside.marks}
            />
          )}
        </div>
        {chosen && incompleteText(chosen) && (
          <p className="px-3 pt-2 text-xs text-ink-faint">{incompleteText(chosen)}</p>
        )}
        {own && !preview && chart.data?.buckets && <BucketTable chart={chart.data} prepared={own} />}
        {(outside.text || awaitsNote) && (
          <p className="min-h-[calc(1lh+--spacing(2))] px-3 pt-2 text-xs text-warn">{outside.text}</p>
        )}
      </div>
    </Card>
  );
}

function summaryText(
  { mean, min, max }: Summary,
  target: Shown,
  { prepared, isBucketed }: { prepared: PreparedComparison | undefined; isBucketed: boolean },
): string {
  const series = prepared?.series ?? [];
  const inner = !prepared || series.some(({ band }) => band?.inner);
  const hasBands = !prepared || series.some(({ band }) => band !== null);
  const bands = inner ? "; bands: 50, 80 and 90 % prediction intervals" : "; band: 90 % prediction interval";
  return `${isBucketed ? "Rows: mean" : "Mean"} ${target.format(mean)}, from ${target.format(min)} to ${target.text(max)}${hasBands ? bands : ""}.`;
}

/** Lists the aggregated points with their intervals and numbers of rows. Gestures of the chart do not render it. */
const BucketTable = memo(function BucketTable({
  chart,
  prepared,
}: {
  chart: PredictionChart;
  prepared: PreparedComparison;
}) {
  const { values, lower, upper, actual, rowCounts, pointCount } = chart;
  const target = useTarget();
  const format = target.formatOf([...values, ...lower, ...upper]);
  const shown = values.length;
  return (
    <details className="px-3 pt-2 text-[13px]">
      <summary className="rounded-sm text-ink-soft">Predictions as a table</summary>
      <PointTable
        label="Predictions as a table"
        className="mt-2 max-h-80 rounded-md border"
        axis={prepared}
        labelOf={rowLabels(prepared)}
        columns={[
          [target.head("Prediction"), (at) => format(values[at])],
          [target.head("90 % interval"), (at) => formatInterval(lower[at], upper[at], format)],
          ...(actual ? [[target.head("Actual"), (at: number) => format(actual[at])] as const] : []),
          [
            "Rows",
            (at) => {
              const note = incompleteNote(prepared, at);
              return (
                <>
                  {note && <span className="mr-2 text-xs text-ink-faint">{note}</span>}
                  {formatInteger(rowCounts?.[at])}
                </>
              );
            },
          ],
        ]}
      />
      {pointCount !== undefined && pointCount > shown && (
        <p className="pt-2 text-xs text-ink-faint">
          {formatInteger(shown)} of {formatInteger(pointCount)} points. Download the CSV for all.
        </p>
      )}
    </details>
  );
});
