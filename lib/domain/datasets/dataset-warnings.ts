import { counted } from "#lib/contract/counted";
import { stepsText, stepWord } from "#lib/contract/duration-text";
import type { Warning } from "#lib/contract/warnings";
import { skipping } from "#lib/engine/csv/summary-rows";
import { detectFrequency } from "#lib/engine/features/frequency";
import { createGrid, gridOf } from "#lib/engine/features/grid";
import type { ColumnDescription } from "./describe-columns.ts";

/** Text columns with this many categories are of little use to a model, and are often identifiers. */
const MANY_CATEGORIES = 1_000;

/** Codes of the warnings that the stored columns show; all others are about the reading of the file. */
const columnCodes = new Set([
  ...["empty_column", "constant_target", "target_missing", "constant_column", "many_categories"],
  ...["no_frequency", "gaps", "off_grid", "odd_times", "series_ended", "series_short"],
  ...["equals_target", "explains_target", "identifier", "empty_in_newest_rows"],
]);

/** Returns whether a warning follows from the stored columns and the settings alone. */
export const isColumnWarning = (code: string): boolean => columnCodes.has(code);

export function columnWarnings(
  columns: readonly ColumnDescription[],
  rowCount: number,
  planned: { plannedRows: number; isPanel: boolean },
): Warning[] {
  return columns
    .filter(({ role }) => role === "input" || role === "target")
    .flatMap((column) => {
      const warning = (code: string, text: string, rows?: number): Warning[] => [
        {
          code,
          column: column.name,
          message: `Column "${column.name}" ${text}`,
          ...(column.role === "input" ? { columns: [column.name] } : {}),
          ...(rows === undefined ? {} : { rows }),
        },
      ];
      if (column.missing === rowCount)
        return warning("empty_column", "has no values; it is of no use to a model.");
      if (column.role === "target") {
        // A target of texts has two classes, so it is not constant.
        if (column.type !== "category" && column.min === column.max)
          return warning(
            "constant_target",
            "is the target, and always has the same value: there is nothing to learn.",
          );
        return column.missing === 0
          ? []
          : warning(
              "target_missing",
              `is the target, and has no value in some rows; models do not learn from them.${plannedText(planned)}`,
              column.missing,
            );
      }
      if (isConstant(column))
        return warning("constant_column", "has the same value in every row; it is of no use to a model.");
      if ((column.categories?.length ?? 0) >= MANY_CATEGORIES)
        return warning(
          "many_categories",
          `has ${MANY_CATEGORIES} different texts or more. If it only names rows, exclude it.`,
        );
      return [];
    });
}

function plannedText({ plannedRows, isPanel }: { plannedRows: number; isPanel: boolean }): string {
  if (plannedRows === 0) return "";
  const after = counted(plannedRows, "row after the last target is", "rows after the last target are");
  if (isPanel) return ` ${after} planned: forecasts use their inputs.`;
  const rows = plannedRows === 1 ? "The last row is" : `The last ${counted(plannedRows, "row")} are`;
  return ` ${rows} planned: forecasts start there, and use the inputs of these rows.`;
}

function isConstant({ type, min, max, missing, categories }: ColumnDescription): boolean {
  if (missing > 0) return false;
  return type === "category" ? categories?.length === 1 : min === max;
}

/** @param series `times` in ascending order, epoch milliseconds */
export function seriesWarnings(series: {
  times: Float64Array;
  timestamp: string;
  frequency: string | null;
  timezone: string;
  movedRows: number;
  /** Rows of the times, counted from 0. */
  rows: ArrayLike<number> | null;
}): Warning[] {
  const { times, timestamp, frequency, timezone, movedRows, rows } = series;
  const warnings: Warning[] = [];
  const warn = (code: string, message: string, rows?: number) =>
    warnings.push({ code, column: timestamp, message, ...(rows === undefined ? {} : { rows }) });
  if (movedRows > 0) {
    warn("rows_sorted", "The rows were not in the order of their times; they have been sorted.", movedRows);
  }
  const odd = oddTimes(times, timezone);
  if (odd !== null) {
    const shown = odd.places.map((at) => (rows === null ? at : rows[at]!) + 1);
    const first = new Date(times[odd.places[0]!]!).toISOString().slice(0, 16);
    const choices = [
      ...skipping(shown),
      {
        label: "Resample",
        options: { resample: { frequency: odd.frequency, statistic: "mean" } },
        cells: [],
      },
    ];
    const message = `${counted(shown.length, "row is", "rows are")} off the step "${stepWord(odd.frequency)}" of all others: row ${shown[0]} has the time ${first}. Correct it, leave it out (\`skipRows\`), or use \`resample\`.`;
    warnings.push({
      code: "odd_times",
      column: timestamp,
      message,
      rows: shown.length,
      firstRow: shown[0]!,
      choices,
    });
  }
  if (frequency === null) {
    warn(
      "no_frequency",
      "The times have no regular step: models cannot look back at earlier values, and inputs cannot be generated.",
    );
    return warnings;
  }
  const { missing, crowded } = occupation(times, createGrid(gridOf(times, { frequency, timezone })).indexOf);
  if (missing > 0)
    warn(
      "gaps",
      `${stepsText(missing, frequency)} between the first and last time ${missing === 1 ? "has" : "have"} no row.`,
      missing,
    );
  if (crowded > 0)
    warn(
      "off_grid",
      `${counted(crowded, "row falls", "rows fall")} into the same ${sameStep(frequency)} as the row before.`,
      crowded,
    );
  return warnings;
}

/** Difference from the usual distance that months have as well. */
const SIMILAR = 0.12;
const ODD_SHARE = 0.05;

/**
 * Finds a few times without which all others have one step: neither of their distances is the usual one, as of a year that
 * was typed wrongly. Returns null if there are none.
 *
 * @param times in ascending order, epoch milliseconds
 */
function oddTimes(times: Float64Array, timezone: string): { places: number[]; frequency: string } | null {
  const distances = times.subarray(1).map((time, at) => time - times[at]!);
  if (distances.length < 4) return null;
  const usual = distances.toSorted()[distances.length >> 1]!;
  const isUsual = (at: number) => Math.abs((distances[at] ?? Infinity) - usual) <= SIMILAR * usual;
  const places = Array.from(times.keys()).filter((at) => !isUsual(at - 1) && !isUsual(at));
  if (places.length === 0 || places.length > Math.max(1, times.length * ODD_SHARE)) return null;
  const others = times.filter((_, at) => !places.includes(at));
  const frequency = detectFrequency(others, timezone);
  // A time that was typed wrongly leaves its step empty.
  const isRegular =
    frequency !== null &&
    occupation(others, createGrid(gridOf(others, { frequency, timezone })).indexOf).missing <= places.length;
  return isRegular ? { places, frequency } : null;
}

export const sameStep = (frequency: string) => {
  const word = stepWord(frequency);
  return /^[a-z]+$/.test(word) ? word : `step of ${word}`;
};

/** Counts the steps without a row between the first and last time, and the rows in the step of the row before. */
export function occupation(
  times: Float64Array,
  indexOf: (instant: number) => number,
): { missing: number; crowded: number } {
  let missing = 0;
  let crowded = 0;
  let before = indexOf(times[0]!);
  for (let row = 1; row < times.length; row++) {
    const index = indexOf(times[row]!);
    if (index === before) crowded++;
    else missing += index - before - 1;
    before = index;
  }
  return { missing, crowded };
}
