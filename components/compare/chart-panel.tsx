"use client";

import { type ReactNode, useMemo, useState } from "react";
import { api } from "#components/api/client.ts";
import { comparePath } from "#components/api/queries.ts";
import { bucketText, incompleteText } from "#components/chart/axis.ts";
import { shownChoice } from "#components/chart/bucket-state.ts";
import { csvLevels } from "#components/chart/columns.ts";
import { ComparisonChart, type Crosshair } from "#components/chart/comparison-chart.tsx";
import type { Measure } from "#components/chart/lines.ts";
import { actualId, type PreparedComparison } from "#components/chart/prepare-comparison.ts";
import type { OutsideMark } from "#components/chart/prepare-outside.ts";
import { withPast } from "#components/chart/prepare-past.ts";
import { type Edited, withPreview } from "#components/chart/prepare-preview.ts";
import { RangeBrush } from "#components/chart/range-brush.tsx";
import { fileName, imageItems, saveAs } from "#components/chart/save-chart.ts";
import type { Span } from "#components/chart/scale.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { useCalendar, useDisplays, useTarget } from "#components/display/displays.tsx";
import { splitColumns } from "#components/panel/panel-state.ts";
import { usePanelColumns } from "#components/panel/use-panel.ts";
import { usePast } from "#components/scenarios/use-past.ts";
import { DownloadMenu } from "#components/ui/download-menu.tsx";
import { counted } from "#lib/contract/counted";
import { ChartLegend, shownSeries } from "./chart-legend.tsx";
import { type CompareState, compareQuery, type View } from "./compare-query.ts";
import { CompareToolbar } from "./compare-toolbar.tsx";
import { PagedTable } from "./paged-table.tsx";
import { useZoom } from "./use-zoom.ts";

const measureOf: Partial<Record<View, Measure>> = {
  difference: "difference",
  percent: "percent",
  cumulative: "cumulative",
};
const titles: Record<Measure, (target: string) => string> = {
  value: (target) => `Predictions of ${target}`,
  difference: (target) => `Differences of ${target} from the baseline`,
  percent: (target) => `Differences of ${target} from the baseline in per cent`,
  cumulative: (target) => `Cumulative differences of ${target} from the baseline`,
};

/** Charts of the comparison, which share zoom and crosshair. Gestures render only this component, not the page. */
export function ChartPanel({
  projectId,
  state,
  prepared: compared,
  overview: overviewAlone,
  edited,
  toggle,
  isWaiting,
  finestCount,
  pointCount,
  hasActual,
  description,
  outside,
  onChange,
  onPick,
}: {
  projectId: string;
  state: CompareState;
  prepared: PreparedComparison;
  overview: PreparedComparison | undefined;
  /** Preview of a scenario with edited inputs. */
  edited: Edited | null;
  /** Opens the inputs. */
  toggle: ReactNode;
  /** Whether points for the shown span are loading. */
  isWaiting: boolean;
  /** Number of rows of the longest scenario, or of buckets if their unit is chosen. */
  finestCount: number;
  /** Number of points in the shown span. The chart draws at most as many as it has pixels. */
  pointCount: number;
  /** Whether any actuals are known, shown or hidden. */
  hasActual: boolean;
  description: string;
  outside: { marks: readonly OutsideMark[]; text: string | null };
  onChange(change: Partial<CompareState>): void;
  onPick(): void;
}) {
  const [x, setX] = useState<number | null>(null);
  const target = useTarget();
  const displays = useDisplays();
  const columns = usePanelColumns(projectId);
  const calendar = useCalendar();
  // Known values have no differences. Of chosen series, the dataset's totals are not the past.
  const canShowPast = (state.view === "value" || state.view === "multiples") && state.where.length === 0;
  const past = usePast(projectId, overviewAlone, canShowPast && state.past);
  const prepared = useMemo(() => {
    const [from, to] = [state.from, state.to].map((bound) => Date.parse(bound ?? ""));
    const within = [from || Number.NEGATIVE_INFINITY, to || Number.POSITIVE_INFINITY] as const;
    return withPast(edited ? withPreview(compared, edited) : compared, past, within);
  }, [compared, edited, past, state.from, state.to]);
  const overview = useMemo(
    () => overviewAlone && withPast(edited ? withPreview(overviewAlone, edited) : overviewAlone, past),
    [overviewAlone, edited, past],
  );
  const crosshair: Crosshair = { x, set: setX };
  const full = overview?.domain ?? prepared.domain;
  const shortest = (2 * (full[1] - full[0])) / Math.max(2, finestCount);
  const { kind } = prepared;
  const { bands } = state;
  const incomplete = incompleteText(compared);
  const zoom = useZoom({ kind, full, bounds: state, isWaiting, shortest, onBounds: onChange });
  const span = zoom.span ?? prepared.domain;
  // Outside the loaded range, coarse points of the full range stand in until the fine ones arrive.
  const drawn = overview && reaches(prepared, span) ? overview : prepared;
  const shared = { prepared: drawn, span, onSpan: zoom.zoom, onReset: zoom.reset, crosshair };
  const only = shownSeries(prepared, state.hidden);
  const measure = measureOf[state.view] ?? "value";
  const baseline = prepared.series.find(({ isBaseline }) => isBaseline);
  const shown = { ...state, ...shownChoice(prepared.buckets, state) };
  const unit = prepared.buckets ? `, ${bucketText(prepared.buckets)}` : "";
  const title = (count: number) =>
    `${titles[measure](target.name)}${unit}, ${counted(count, "scenario")}, baseline ${baseline?.title ?? ""}`;
  const drawnIds = state.ids.filter((id) => only === undefined || !state.hidden.includes(id));
  // Files of numbers include hidden series.
  const saveNumbers = (file: Blob, ending: string) => saveAs(file, fileName(title(state.ids.length), ending));
  const saveCsv = async (levels: string) => {
    const path = comparePath(projectId, compareQuery(shown)) + levels;
    saveNumbers(await api.blob(path, "text/csv"), "csv");
  };
  const saveWorkbook = async () => {
    const { exportWorkbook } = await import("./export-workbook.ts");
    const options = { points: pointCount, columns: splitColumns(state, columns), target, displays, calendar };
    saveNumbers(await exportWorkbook(projectId, shown, options), "xlsx");
  };
  return (
    <>
      <CompareToolbar
        state={state}
        prepared={prepared}
        full={rowsOf(overviewAlone ?? compared)}
        hasActual={hasActual}
        past={
          canShowPast && kind === "time" ? { isKnown: !state.past || overview?.origin !== undefined } : null
        }
        onChange={onChange}
        onReset={zoom.reset}
        onPick={onPick}
      >
        {toggle}
        <DownloadMenu
          label="Export"
          size="sm"
          items={[
            ["CSV, all points in view", () => saveCsv("")],
            ["CSV with 50, 80, 90 and 95 % intervals", () => saveCsv(`&levels=${csvLevels}`)],
            ["Excel workbook", saveWorkbook],
            ...imageItems(prepared, { measure, target, title: title(drawnIds.length), span, bands, only }),
          ]}
        />
      </CompareToolbar>
      {state.view === "table" ? (
        <PagedTable projectId={projectId} state={shown} prepared={compared} pointCount={pointCount} />
      ) : (
        <div className="px-2 pt-4 pb-2">
          {state.view === "multiples" ? (
            <SmallMultiples {...shared} bands={bands} />
          ) : (
            <>
              {/* The axis names the values. The line keeps its place without buckets. */}
              <p className="pl-[64px] text-xs text-ink-faint first-letter:uppercase">
                {prepared.buckets ? bucketText(prepared.buckets) : "\u00a0"}
              </p>
              <ComparisonChart
                {...shared}
                measure={measure}
                bands={bands}
                height={380}
                label={description}
                outside={outside.marks}
                only={only}
                fitsShown
              />
              <ChartLegend prepared={prepared} shown={only} onHidden={(hidden) => onChange({ hidden })} />
            </>
          )}
          {outside.text && <p className="mt-2 pl-[64px] text-xs text-warn">{outside.text}</p>}
          {state.view === "value" && (
            <>
              <div className="mt-2" />
              <ComparisonChart
                {...shared}
                measure="difference"
                intervals={bands}
                only={only}
                fitsShown
                height={140}
                label="Differences from the baseline at each point"
              />
            </>
          )}
          {overview && (
            <div className="mt-3 print:hidden">
              <RangeBrush overview={overview} span={span} onSpan={zoom.zoom} />
            </div>
          )}
        </div>
      )}
      {/* Below the chart, which thus keeps its place when the number of lines changes. */}
      {incomplete && <p className="px-5 pb-3 text-xs text-ink-faint">{incomplete}</p>}
    </>
  );
}

/** Returns the first and the last row of an axis; the last bucket begins before its last row. */
function rowsOf({ buckets, domain }: PreparedComparison): Span {
  return buckets?.from && buckets.to ? [Date.parse(buckets.from), Date.parse(buckets.to)] : domain;
}

/** Returns whether a span extends beyond the points by more than the distance between two points. */
function reaches({ domain: [first, last], xs }: PreparedComparison, [from, to]: Span): boolean {
  const distance = (last - first) / Math.max(1, xs.length - 1);
  return from < first - distance || to > last + distance;
}

/** Draws a small chart per scenario with the baseline and the actuals, all with the same axes. */
function SmallMultiples({
  prepared,
  bands,
  ...shared
}: {
  prepared: PreparedComparison;
  bands: boolean;
  span: Span;
  onSpan(span: Span): void;
  onReset(): void;
  crosshair: Crosshair;
}) {
  const baseline = prepared.series.findIndex(({ isBaseline }) => isBaseline);
  const actual = prepared.series.findIndex(({ id }) => id === actualId);
  return (
    <ul className="grid gap-x-2 gap-y-4 md:grid-cols-2 2xl:grid-cols-3">
      {prepared.series.map(({ id, title, color, dash }, index) =>
        index === baseline || index === actual ? null : (
          <li key={id} className="min-w-0">
            <p className="flex items-center gap-2 pl-[64px] text-xs font-medium">
              <SeriesMark color={color} dash={dash} />
              <span className="truncate" title={title}>
                {title}
              </span>
            </p>
            <ComparisonChart
              {...shared}
              prepared={prepared}
              measure="value"
              bands={bands}
              only={[baseline, index, actual]}
              height={170}
              label={`${title} and the baseline ${prepared.series[baseline]?.title ?? ""}${actual === -1 ? "" : ", with the actuals"}`}
            />
          </li>
        ),
      )}
    </ul>
  );
}
