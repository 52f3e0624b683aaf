import { endOfDay } from "#components/time/local-day.ts";
import { dayText } from "#components/time/period.ts";
import { formatInteger } from "#components/ui/format.ts";
import type { Dataset } from "#lib/contract/datasets";
import { stepOf } from "#lib/contract/duration-text";
import { createGrid, type Grid } from "#lib/engine/features/grid";

/** Maximum number of rows that the service generates at once. */
const maxGeneratedRows = 100_000;

type Series = Pick<
  Dataset,
  "firstTimestamp" | "lastTargetTimestamp" | "frequency" | "calendar" | "monthDay" | "timezone"
>;

type Generation =
  | { state: "open" }
  | { state: "too early" | "too long" }
  /** `share` is the generated fraction of the time from the first row to the end, 0 to 1. */
  | { state: "ready"; rows: number; share: number; from: string; to: string };

/**
 * Proposes a title for generated input: "Forecast from 1 Jan 2026", with a number if it is taken. Empty without a regular
 * step.
 */
export function proposedTitle(series: Series | null, taken: readonly string[]): string {
  const start = series && nextStep(series);
  if (series === null || start === null) return "";
  const title = `Forecast from ${dayText(start, series)}`;
  return [title, ...taken.map((_, at) => `${title} (${at + 2})`)].find((one) => !taken.includes(one))!;
}

/** Returns the time of the step after the last row with a target; null without a regular step. */
export function nextStep(series: Series): string | null {
  const known = knownSteps(series);
  return known && timeText(known.grid, known.last + 1);
}

/**
 * Computes the rows to generate up to the end of a day.
 *
 * @param endDate form value such as `2026-12-31`; empty if not chosen yet
 */
export function prepareGeneration(series: Series, endDate: string): Generation {
  const known = knownSteps(series);
  if (endDate === "" || known === null) return { state: "open" };
  const { grid, last } = known;
  const end = Date.parse(endOfDay(endDate, series.timezone));
  const cell = grid.indexOf(end);
  // A row at the end of a month lies after most of the month.
  const rows = (grid.timeAt(cell) > end ? cell - 1 : cell) - last;
  if (!(rows >= 1)) return { state: "too early" };
  if (rows > maxGeneratedRows) return { state: "too long" };
  const [from, to] = [timeText(grid, last + 1), timeText(grid, last + rows)];
  const [first, before] = [Date.parse(series.firstTimestamp!), Date.parse(series.lastTargetTimestamp!)];
  return { state: "ready", rows, share: (Date.parse(to) - before) / (Date.parse(to) - first), from, to };
}

/** Describes the problem of an end date in one sentence; undefined for a valid or absent date. */
export function endDateIssue(series: Series, endDate: string): string | undefined {
  const { state } = prepareGeneration(series, endDate);
  if (state === "too long")
    return `The limit is ${formatInteger(maxGeneratedRows)} rows. Choose an earlier day.`;
  if (state !== "too early") return undefined;
  return `The known target ends with ${dayText(series.lastTargetTimestamp!, series)}. Choose a later day.`;
}

/** Returns the grid of a dataset and its last cell; null without a regular step. */
function knownSteps(series: Series): { grid: Grid; last: number } | null {
  const { firstTimestamp, lastTargetTimestamp, timezone } = series;
  const monthDay = series.monthDay ?? undefined;
  const frequency = stepOf(series);
  if (frequency === null || firstTimestamp === null || lastTargetTimestamp === null) return null;
  const grid = createGrid({ frequency, timezone, start: Date.parse(firstTimestamp), monthDay });
  return { grid, last: grid.indexOf(Date.parse(lastTargetTimestamp)) };
}

const timeText = (grid: Grid, index: number) => new Date(grid.timeAt(index)).toISOString();
