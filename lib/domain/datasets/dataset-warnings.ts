import { counted } from "#lib/contract/counted";
import type { Warning } from "#lib/contract/datasets";
import { stepsText, stepWord } from "#lib/contract/duration-text";
import { createGrid, gridOf } from "#lib/engine/features/grid";
import type { ColumnDescription } from "./describe-columns.ts";

/** Text columns with this many categories are of little use to a model, and are often identifiers. */
const MANY_CATEGORIES = 1_000;

/** Codes of the warnings that the stored columns show; all others are about the reading of the file. */
const columnCodes = new Set([
  ...["empty_column", "constant_target", "target_missing", "constant_column", "many_categories"],
  ...["no_frequency", "gaps", "off_grid"],
  ...["equals_target", "explains_target", "identifier", "empty_in_newest_rows"],
]);

/** Returns whether a warning follows from the stored columns and the settings alone. */
export const isColumnWarning = (code: string): boolean => columnCodes.has(code);

export function columnWarnings(columns: readonly ColumnDescription[], rowCount: number): Warning[] {
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
              "is the target, and has no value in some rows; models do not learn from them.",
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
}): Warning[] {
  const { times, timestamp, frequency, timezone, movedRows } = series;
  const warnings: Warning[] = [];
  const warn = (code: string, message: string, rows?: number) =>
    warnings.push({ code, column: timestamp, message, ...(rows === undefined ? {} : { rows }) });
  if (movedRows > 0) {
    warn("rows_sorted", "The rows were not in the order of their times; they have been sorted.", movedRows);
  }
  if (frequency === null) {
    warn(
      "no_frequency",
      "The times have no regular step: models cannot look back at earlier values, and inputs cannot be generated.",
    );
    return warnings;
  }
  const { missing, crowded } = occupation(times, frequency, timezone);
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

const sameStep = (frequency: string) => {
  const word = stepWord(frequency);
  return /^[a-z]+$/.test(word) ? word : `step of ${word}`;
};

function occupation(
  times: Float64Array,
  frequency: string,
  timezone: string,
): { missing: number; crowded: number } {
  const { indexOf } = createGrid(gridOf(times, { frequency, timezone }));
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
