import { counted } from "#lib/contract/counted";
import type { TrainModel } from "#lib/contract/train-model";
import type { Warning } from "#lib/contract/warnings";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { findOutliers } from "#lib/engine/series-methods/outliers";
import { isIntermittent } from "#lib/engine/series-methods/tsb";
import { numericValues } from "#lib/engine/table/columns";
import type { CandidateContext, DroppedRow } from "./candidate.ts";
import type { PreparedData } from "./prepare-data.ts";
import { seasonLengths } from "./seasonality.ts";

/** Maximum number of values that a warning names. */
const NAMED_MAX = 5;

/**
 * Returns the grid indexes of values that a series without inputs does not learn from: typing errors and short
 * interruptions. With inputs, `contradictingRows` finds them. Demand with many zeros has peaks by nature.
 */
export function ignoredCells(
  { inputs, grid }: PreparedData,
  known: KnownSeries | null,
  { outliers }: TrainModel,
): Set<number> {
  if (known === null || grid === null || inputs.length > 0 || outliers === "keep") return new Set();
  const { observed, firstIndex } = known;
  if (isIntermittent(observed)) return new Set();
  const [season = 1] = seasonLengths(grid.frequency);
  return new Set(findOutliers(observed, season).map((at) => firstIndex + at));
}

/** Returns the rows of the training data, from 0, whose values are ignored. */
function ignoredRows({ known, ignored }: CandidateContext): number[] {
  return known === null ? [] : [...ignored].map((index) => known.rowAt[index - known.firstIndex]!);
}

/** Removes the ignored values from the actual values, so that they do not widen the intervals of all others. */
export function withoutIgnored(
  context: CandidateContext,
  forecasts: readonly OutOfSample[],
): readonly OutOfSample[] {
  const rows = new Set(ignoredRows(context));
  if (rows.size === 0) return forecasts;
  return forecasts.map((one) => ({
    ...one,
    actual: one.actual.map((value, at) => (rows.has(one.from + at) ? Number.NaN : value)),
  }));
}

/** Returns the rows whose values are ignored or left out. */
export function treatedRows(context: CandidateContext): DroppedRow[] {
  const { data, timestamp, dropped } = context;
  const times = timestamp === null ? null : numericValues(data.table, timestamp);
  const ignored = ignoredRows(context).map((row) => ({
    number: data.rowNumbers[row]!,
    value: data.targets[row]!,
    time: times![row]!,
  }));
  return [...dropped, ...ignored];
}

/** Returns a warning that names the ignored values; none without such values. */
export const ignoredWarnings = (context: CandidateContext): Warning[] =>
  warningsOf(context.target, treatedRows(context));

/** Returns a warning that names ignored values by their rows, from 1; none without such values. */
export function warningsOf(target: string, rows: readonly { number: number; value: number }[]): Warning[] {
  if (rows.length === 0) return [];
  const named = rows
    .slice(0, NAMED_MAX)
    .map(({ number, value }) => `row ${number} (${value})`)
    .join(", ");
  const more = rows.length > NAMED_MAX ? ` and ${counted(rows.length - NAMED_MAX, "more row")}` : "";
  return [
    {
      code: "ignored_values",
      message: `The model does not learn from values of "${target}" that contradict all others: ${named}${more}. Correct them in the data; if they are real, train with \`outliers: keep\`.`,
      column: target,
      rows: rows.length,
      firstRow: rows[0]!.number,
    },
  ];
}
