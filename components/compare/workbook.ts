import { axisName, axisOf, type ChartAxis, pointLabel, zoneOf } from "#components/chart/axis.ts";
import { rowsIn } from "#components/chart/describe-comparison.ts";
import type { Displays, Shown } from "#components/display/shown.ts";
import { periodText, type SeriesCalendar, toWall } from "#components/time/period.ts";
import { partText } from "#components/why/prepare-why.ts";
import { type Cell, sheetOf, type WorkbookSheet } from "#components/workbook/workbook-sheet.ts";
import { counted } from "#lib/contract/counted";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison } from "#lib/contract/scenario-series";
import { type ComparedBy, groupSheets } from "./group-sheets.ts";
import { outlookSheets, type ScenarioOutlook } from "./outlook-sheet.ts";

/** Maximum number of cells of the largest sheet, so that the browser builds the file within seconds. */
const CELLS_MAX = 1_000_000;
/** Columns of each scenario on the sheet of series. */
const COLUMNS_OF_SCENARIO = 4;

/** Returns why a comparison does not fit a workbook; null if it fits. */
export function workbookIssue(points: number, scenarios: number): string | null {
  if (points * (1 + COLUMNS_OF_SCENARIO * scenarios) <= CELLS_MAX) return null;
  return `${counted(points, "row")} of ${counted(scenarios, "scenario")} are too many for a workbook. Zoom in, or export as CSV.`;
}

/**
 * Lays out a comparison as the sheets of a workbook: summary, series, inputs, why, and the outlook of scenarios with times. Of many
 * series, also one for each level.
 *
 * @param names how the target and the inputs are shown
 */
export function workbookSheets(
  { comparison, totals, differences, outlooks = [], levels = [] }: Exported,
  names: Names,
): WorkbookSheet[] {
  return [
    sheetOf("Summary", summaryRows(totals, comparison, names)),
    sheetOf("Series", seriesRows(comparison, names)),
    sheetOf("Inputs", inputRows(comparison, names)),
    sheetOf("Why", whyRows(comparison, differences, names)),
    ...outlookSheets(outlooks, { target: names.target, timezone: names.calendar?.timezone ?? null }),
    ...groupSheets(levels, names),
  ];
}

type Exported = {
  /** All points of the shown span. */
  comparison: Comparison;
  /** Comparison over the span of the totals, which can be shorter. */
  totals: Comparison;
  /** Explained differences from the baseline. Other scenarios are named as not explained. */
  differences: readonly Difference[];
  outlooks?: readonly ScenarioOutlook[];
  /** Of many series: their groups, by each column. */
  levels?: readonly ComparedBy[];
};

type Names = { target: Shown; displays: Displays; calendar?: SeriesCalendar };

function summaryRows(totals: Comparison, shown: Comparison, { target, calendar }: Names): Cell[][] {
  const { baselineId, scenarios, series, commonSpan } = totals;
  const axis = axisOf(shown, calendar);
  const place = (at: string) => pointLabel(axis, axis.kind === "row" ? Number(at) : Date.parse(at));
  const statistics = [
    "Sum",
    "Sum, lower 90 %",
    "Sum, upper 90 %",
    "Mean",
    "Minimum",
    "Maximum",
    "Difference",
  ];
  return [
    [
      ...["Scenario", "Baseline", "Checkpoint", "From", "To", "Rows", "Rows on sheet Series"],
      ...statistics.map((text) => target.head(`${text} of ${target.name}`)),
      "Difference in per cent",
    ],
    ...scenarios.map(({ id, title, checkpointLabel, rowCount, summary: whole }, index): Cell[] => {
      const one = series[index]!;
      const summary = one.summary ?? whole;
      const isBaseline = id === baselineId;
      return [
        ...[title, isBaseline ? "yes" : "", checkpointLabel],
        ...(commonSpan ? [place(commonSpan.from), place(commonSpan.to)] : [null, null]),
        ...[one.rowCount ?? rowCount, rowsIn(shown, id), summary.sum],
        ...[summary.sumInterval?.lower ?? null, summary.sumInterval?.upper ?? null],
        ...[summary.mean, summary.min, summary.max],
        ...(isBaseline ? [null, null] : [one.totalDifference, one.percentDifference]),
      ];
    }),
  ];
}

function seriesRows(
  { baselineId, scenarios, timestamps, rows, buckets, series, actual }: Comparison,
  { target, calendar }: Names,
): Cell[][] {
  const axis = axisOf({ timestamps, rows, buckets }, calendar);
  const names = scenarios.map(({ id, title }) => [
    ...[title, `${title}, lower 90 %`, `${title}, upper 90 %`].map((text) => target.head(text)),
    ...(id === baselineId ? [] : [target.head(`${title}, difference`)]),
  ]);
  return [
    [...placeHeads(axis), ...(actual ? [target.head(`Actual ${target.name}`)] : []), ...names.flat()],
    ...Array.from(axis.xs, (_, at): Cell[] => [
      ...placeCells(axis, at),
      ...(actual ? [actual[at] ?? null] : []),
      ...series.flatMap(({ scenarioId, values, lower, upper, differences }) => [
        ...[values[at] ?? null, lower[at] ?? null, upper[at] ?? null],
        ...(scenarioId === baselineId ? [] : [differences[at] ?? null]),
      ]),
    ]),
  ];
}

/** Returns the headings of the first columns: a period has its name, its beginning, and whether the rows cover it. */
function placeHeads(axis: ChartAxis): string[] {
  if (!isNamed(axis)) return [axisName(axis)];
  return [axisName(axis), "Begins", ...(axis.buckets ? ["Complete"] : [])];
}

function placeCells(axis: ChartAxis, at: number): Cell[] {
  const { kind, xs, period, buckets } = axis;
  if (kind === "row") return [xs[at]!];
  // A workbook's dates have no zone: days are those of the data.
  const time = timeCell(new Date(toWall(zoneOf(axis), xs[at]!)).toISOString());
  if (!isNamed(axis)) return [time];
  return [periodText(period!, xs[at]!), time, ...(buckets ? [buckets.complete[at] ? "yes" : "no"] : [])];
}

/** Returns whether points have names that a date cell cannot show, or can be incomplete. */
const isNamed = ({ period, buckets }: ChartAxis) =>
  buckets !== undefined || (period !== null && period.unit !== "day");

/** Earliest year of a date in a workbook. */
const FIRST_YEAR = 1900;

function timeCell(time: string): Date | string {
  const date = new Date(time);
  return date.getUTCFullYear() > FIRST_YEAR ? date : time;
}

function inputRows({ scenarios, differs }: Comparison, { displays }: Names): Cell[][] {
  const titles = (ids: readonly string[]) =>
    scenarios.flatMap(({ id, title }) => (ids.includes(id) ? [title] : [])).join("; ");
  const checkpointRows = (kind: string, list: Comparison["differs"]["checkpoints"]) =>
    list.map(({ label, scenarioIds }): Cell[] => [kind, label, null, titles(scenarioIds)]);
  return [
    ["Kind", "Name", "Changed rows", "Scenarios"],
    ...differs.inputs.map(({ feature, changedRows, scenarioIds }): Cell[] => [
      ...["Input", displays(feature).title, changedRows, titles(scenarioIds)],
    ]),
    ...checkpointRows("Checkpoint", differs.checkpoints),
    ...checkpointRows("Upstream checkpoint", differs.dependentCheckpoints),
  ];
}

function whyRows(
  { baselineId, scenarios }: Comparison,
  differences: readonly Difference[],
  { target, displays }: Names,
): Cell[][] {
  const baseline = scenarios.find(({ id }) => id === baselineId)!;
  const isLogOdds = differences.some(({ scale }) => scale === "log_odds");
  const heading = `Contribution to the difference of ${target.name}`;
  return [
    ["Scenario", "Cause", "Note", isLogOdds ? heading : target.head(heading)],
    ...scenarios
      .filter(({ id }) => id !== baselineId)
      .flatMap(({ id, title, checkpointLabel }): Cell[][] => {
        const difference = differences.find(({ scenarioId }) => scenarioId === id);
        if (!difference) return [[title, "Not explained", "The scenario has many rows.", null]];
        const checkpoints = `${baseline.checkpointLabel ?? "–"} → ${checkpointLabel ?? "–"}`;
        return [
          ...difference.parts.map((part): Cell[] => {
            const { name, note } = partText(part, checkpoints, displays);
            return [title, name, note, part.total];
          }),
          [title, "Total", null, difference.totalDifference],
        ];
      }),
  ];
}
