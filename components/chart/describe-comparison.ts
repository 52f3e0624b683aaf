import type { SeriesCalendar } from "#components/time/period.ts";
import { formatNumber, formatPercent, quoted, roundedPercent } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Comparison } from "#lib/contract/scenario-series";
import { axisOf, pointLabel } from "./axis.ts";

type ComparedSeries = Comparison["series"][number];

/**
 * Maximum number of scenarios described one by one. Above it, the text names only the extremes; the table lists all
 * scenarios.
 */
const NAMED_MAX = 3;

/**
 * Describes a comparison in words, for readers who cannot see the chart.
 *
 * @param totals comparison over the span of the totals: the one that all scenarios cover
 * @param shown comparison over the shown span, if it is longer
 */
export function describeComparison(
  totals: Comparison,
  shown: Comparison = totals,
  calendar?: SeriesCalendar,
): string {
  const { series, baselineId } = totals;
  const others = series.filter(({ scenarioId }) => scenarioId !== baselineId);
  const isSame = isSameIn(totals);
  const changes =
    others.length > NAMED_MAX
      ? countsText(others, isSame)
      : others.map((one) => `${titleOf(totals, one)} ${changeText(one, isSame)}`).join("; ");
  return [
    spanText(totals, shown, calendar),
    `Baseline is ${titleOf(totals, { scenarioId: baselineId })}.`,
    `${changes}.`,
    extremesText(totals, others.length > NAMED_MAX),
    excludedText(totals, shown),
    lackingText(totals),
    shown.actual ? actualText(shown) : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const titleOf = ({ scenarios }: Comparison, { scenarioId }: Pick<ComparedSeries, "scenarioId">) =>
  quoted(scenarios.find(({ id }) => id === scenarioId)?.title ?? scenarioId);

/** Part of the largest total below which a difference is an error of rounding. */
const ROUNDING = 1e-12;

/** Returns whether a total difference is 0, or as small as errors of rounding. */
function isSameIn({ series }: Comparison): (total: number) => boolean {
  const sizes = series.flatMap(({ totalDifference, summary }) => [totalDifference, summary?.sum]);
  const largest = sizes.reduce<number>((most, size) => Math.max(most, Math.abs(size ?? 0)), 0);
  return (total) => Math.abs(total) <= ROUNDING * largest;
}

type IsSame = ReturnType<typeof isSameIn>;

function changeText({ percentDifference, totalDifference }: ComparedSeries, isSame: IsSame): string {
  if (totalDifference === null) return "has no rows in common with it";
  if (isSame(totalDifference)) return "is the same in total";
  const side = totalDifference > 0 ? "above" : "below";
  if (percentDifference === null)
    return `is ${formatNumber(Math.abs(totalDifference))} ${side} it in total, where the baseline's sum is 0`;
  return `is ${roundedPercent(Math.abs(percentDifference), 1)} % ${side} it in total`;
}

/**
 * Counts scenarios by direction: "Of the 19 others, 12 are above it in total, 6 are below it, 1 has no rows in common
 * with it".
 */
function countsText(others: readonly ComparedSeries[], isSame: IsSame): string {
  const count = (counts: (total: number) => boolean) =>
    others.filter(({ totalDifference }) => totalDifference !== null && counts(totalDifference)).length;
  const apart = others.filter(({ totalDifference }) => totalDifference === null).length;
  const parts = [
    [count((total) => total > 0 && !isSame(total)), "is above it in total", "are above it in total"],
    [count((total) => total < 0 && !isSame(total)), "is below it", "are below it"],
    [count(isSame), "is the same", "are the same"],
    [apart, "has no rows in common with it", "have no rows in common with it"],
  ] as const;
  const counts = parts.flatMap(([number, one, many]) => (number > 0 ? [counted(number, one, many)] : []));
  return `Of the ${others.length} others, ${counts.join(", ")}`;
}

/** Names the scenarios with the highest total, and of many also those with the lowest. */
function extremesText(comparison: Comparison, withLowest: boolean): string {
  const { series, baselineId } = comparison;
  const isSame = isSameIn(comparison);
  const known = series.flatMap((one) =>
    one.totalDifference === null ? [] : [{ ...one, total: one.totalDifference }],
  );
  const totals = known.map(({ total }) => total);
  const at = (extreme: number) => known.filter(({ total }) => isSame(total - extreme));
  const [highest, lowest] = [at(Math.max(...totals)), at(Math.min(...totals))];
  if (highest.length === known.length) return "";
  const name = (one: ComparedSeries) => {
    if (!withLowest) return titleOf(comparison, one);
    return one.scenarioId === baselineId ? "the baseline" : `${titleOf(comparison, one)}${percentText(one)}`;
  };
  const names = (some: readonly ComparedSeries[]) =>
    some.length > NAMED_MAX ? counted(some.length, "scenario") : listed(some.map(name));
  const one = highest.length === 1 ? "is" : "are";
  const among =
    known.length < series.length ? "Of those with common rows, the highest in total" : "Highest in total";
  return `${among} ${one} ${names(highest)}${withLowest ? `, lowest ${names(lowest)}` : ""}.`;
}

const percentText = ({ percentDifference }: ComparedSeries) =>
  percentDifference === null ? "" : ` (${formatPercent(percentDifference)})`;

/** Names the rows that the totals exclude, because other scenarios do not have them. */
function excludedText(totals: Comparison, shown: Comparison): string {
  if (totals.commonSpan === null)
    return "The scenarios have no span in common, so their sums and means are of different rows.";
  const longer = totals.series.flatMap((one) => {
    const rows = rowsIn(shown, one.scenarioId) - (one.rowCount ?? 0);
    return rows > 0 && one.totalDifference !== null
      ? [`${counted(rows, "row")} of ${titleOf(totals, one)}`]
      : [];
  });
  if (longer.length === 0) return "";
  if (longer.length > NAMED_MAX)
    return `Totals exclude rows of ${counted(longer.length, "longer scenario")}.`;
  return `Totals exclude ${listed(longer)}, which other scenarios do not have.`;
}

/** Returns the number of a scenario's rows in the span of a comparison. */
export const rowsIn = ({ series }: Comparison, id: string) =>
  series.find(({ scenarioId }) => scenarioId === id)?.rowCount ?? 0;

/** Names the scenarios whose totals lack rows within the span. */
function lackingText(totals: Comparison): string {
  const lacking = totals.series.filter((one) => lacksRows(totals, one));
  if (lacking.length === 0) return "";
  if (lacking.length > NAMED_MAX)
    return `${counted(lacking.length, "scenario lacks", "scenarios lack")} rows within it.`;
  const names = lacking.map(
    (one) =>
      `${titleOf(totals, one)} has predictions in ${formatNumber(one.valueCount)} of ${counted(rowsOfSpan(totals), "row")}`,
  );
  return `${listed(names)}.`;
}

/** Returns whether a scenario has no prediction in some rows of the span. */
export const lacksRows = (totals: Comparison, { valueCount = 0 }: ComparedSeries) =>
  valueCount > 0 && valueCount < rowsOfSpan(totals);

const rowsOfSpan = ({ buckets, pointCount, series }: Comparison) =>
  buckets ? Math.max(...series.map(({ rowCount }) => rowCount ?? 0)) : pointCount;

/** Joins names: "A", "A and B", "A, B and C". */
const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Describes how far the predictions are from the actuals, at the drawn points. */
function actualText({ actual, series, baselineId }: Comparison): string {
  const known = actual?.filter((value) => value !== null).length ?? 0;
  const { values } = series.find(({ scenarioId }) => scenarioId === baselineId)!;
  const gaps = (actual ?? []).flatMap((value, at) => {
    const predicted = values[at] ?? null;
    return value === null || predicted === null ? [] : [value - predicted];
  });
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const side =
    gaps.length === 0
      ? ""
      : `; there they are ${formatNumber(Math.abs(mean))} ${mean < 0 ? "below" : "above"} the baseline on average`;
  return `Actuals are known at ${formatNumber(known)} of the ${counted(actual?.length ?? 0, "point")} drawn${side}.`;
}

/** Names the span of the totals. */
function spanText(totals: Comparison, shown: Comparison, calendar?: SeriesCalendar): string {
  const { xs } = axisOf(totals);
  if (xs.length === 0) return "There are no points in the shown span.";
  // The span can begin and end within a period, whose name would promise all of it.
  const { from, to } = totals.buckets ?? {};
  const axis =
    from && to
      ? axisOf({ timestamps: [from, to] }, calendar)
      : axisOf(shown.buckets ? totals : shown, calendar);
  const [first, last] = (from && to ? [axis.xs[0]!, axis.xs[1]!] : [xs[0]!, xs.at(-1)!]).map((place) =>
    pointLabel(axis, place),
  );
  const ends = first === last ? `For ${first}` : `From ${first} to ${last}`;
  return totals === shown ? `${ends}.` : `${ends}, which all scenarios cover.`;
}
