"use client";

import { useMemo, useState } from "react";
import { rowLabels } from "#components/chart/axis.ts";
import { ChartActions } from "#components/chart/chart-actions.tsx";
import { PointTable } from "#components/chart/point-table.tsx";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { dashOf, markerOf } from "#components/chart/series-style.ts";
import { useSpan } from "#components/chart/use-span.ts";
import { ZoomableChart } from "#components/chart/zoomable-chart.tsx";
import { TargetOf, useCalendar, useDisplays, useTarget } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatSigned } from "#components/ui/format.ts";
import { Segments } from "#components/ui/segments.tsx";
import type { Model } from "#lib/contract/models";
import { describeValidation, prepareScatter, prepareValidation } from "./prepare-validation.ts";
import { ValidationScatter } from "./scatter.tsx";

const views = [
  ["lines", "Actual and predicted"],
  ["errors", "Residuals"],
  ["scatter", "Scatter"],
  ["table", "Table"],
] as const;
type View = (typeof views)[number][0];

/** Compares predictions with actuals for the validation rows. */
export function ValidationCard({
  validation,
  target,
}: {
  validation: NonNullable<Model["validation"]>;
  target: string;
}) {
  const calendar = useCalendar();
  const prepared = useMemo(() => prepareValidation(validation, calendar), [validation, calendar]);
  const scatter = useMemo(() => prepareScatter(validation), [validation]);
  const summary = useMemo(() => describeValidation(validation), [validation]);
  // Randomly held-out rows have no order for a line.
  const [view, setView] = useState<View>(prepared.kind === "time" ? "lines" : "scatter");
  const zoom = useSpan(prepared);
  const shown = useDisplays()(target);
  const hasLines = view === "lines" || view === "errors";
  const chart = {
    prepared,
    measure: view === "lines" ? "value" : "difference",
    baselineText: "",
  } as const;
  return (
    <Card>
      <CardHeader
        title="Actual against predicted"
        description={summary}
        actions={
          <>
            {hasLines && (
              <ChartActions
                {...chart}
                target={shown}
                zoom={zoom}
                bands={false}
                title={`${view === "lines" ? "Actual and predicted" : "Residuals of"} ${shown.name}`}
              />
            )}
            <Segments<View> label="View" options={views} value={view} onChange={setView} />
          </>
        }
      />
      {view === "table" && <ValueTable prepared={prepared} />}
      {view !== "table" && (
        <div className="px-2 pb-3">
          <TargetOf column={target}>
            {view === "scatter" ? (
              <ValidationScatter {...scatter} label={summary} />
            ) : (
              <ZoomableChart {...chart} zoom={zoom} height={340} label={summary} />
            )}
          </TargetOf>
          {view === "lines" && (
            <ul className="flex gap-5 pt-1 pl-[64px] text-xs text-ink-soft">
              {prepared.series.map(({ id, title, color, dash }, index) => (
                <li key={id} className="flex items-center gap-2">
                  <SeriesMark
                    color={color}
                    dash={dash}
                    marker={dash === dashOf(index) ? markerOf(index) : -1}
                  />
                  {title}
                </li>
              ))}
            </ul>
          )}
          {view === "errors" && (
            <p className="pl-[64px] text-xs text-ink-faint">Predicted less actual; above 0 is too high.</p>
          )}
        </div>
      )}
    </Card>
  );
}

/** Lists the values of each series, and the differences from the baseline. */
function ValueTable({ prepared }: { prepared: PreparedComparison }) {
  const { series } = prepared;
  const target = useTarget();
  const format = target.formatOf(series.flatMap(({ values }) => Array.from(values)));
  return (
    <PointTable
      label="Values"
      className="max-h-120"
      axis={prepared}
      labelOf={rowLabels(prepared)}
      columns={series.map(({ title, isBaseline, values, differences }) => [
        target.head(title),
        (at) => (
          <>
            {format(values[at])}
            {!isBaseline && (
              <span className="ml-2 text-xs text-ink-faint">{formatSigned(differences?.[at], format)}</span>
            )}
          </>
        ),
      ])}
    />
  );
}
