import type { DateRule } from "#lib/contract/date-rule";
import type { GeneratedInput } from "#lib/contract/generated-inputs";
import type { Column, Table } from "#lib/contract/table";
import type { GridDefinition } from "#lib/engine/features/grid";
import { codesOf } from "#lib/engine/table/columns";
import type { ForecastPreview } from "./preview-forecast.ts";

/** Model data that the generation of inputs needs; a loaded model qualifies. */
export type GenerationSource = {
  state: {
    timestamp: string | null;
    timezone: string;
    grid: GridDefinition | null;
    horizon: number | null;
    /** Last time with a known target. Later rows of the history are planned. Null: the last row of the history. */
    lastTimestamp: number | null;
    /** Series columns, and columns that are constant within each series; absent for one series. */
    series?: { columns: string[]; levels: string[] } | undefined;
  };
  inputFeatures: {
    name: string;
    role: "input" | "upstream" | "timestamp";
    dateRule?: DateRule | undefined;
  }[];
  /** Known rows of the series; null without a timestamp. */
  history: Table | null;
  /** Held-out rows of a model without a timestamp. */
  heldOut: Table | null;
};

export type GeneratedInputs = {
  /** Timestamp and inputs. The caller adds columns with predictions of upstream projects. */
  table: Table;
  /** Method and back-test error of each input; `isExact` if no value was forecast. Empty for held-out rows. */
  forecasts: (Omit<GeneratedInput, "known" | "generated"> & { preview: ForecastPreview; isExact: boolean })[];
};

type GenerationIssue =
  | "end_date_not_after_last"
  | "too_many_rows"
  | "too_many_panel_rows"
  | "no_frequency"
  | "no_rows";

/** Thrown if inputs cannot be generated. */
export class GenerationImpossible extends Error {
  override name = "GenerationImpossible";
  readonly code: GenerationIssue;
  constructor(code: GenerationIssue, message: string) {
    super(message);
    this.code = code;
  }
}

export const GENERATED_ROWS_MAX = 100_000;

export const orElse = (value: number, other: number) => (Number.isNaN(value) ? other : value);

/**
 * Returns the number of steps to generate after the last known one.
 *
 * @throws GenerationImpossible if the end date is not after it, or too far
 */
export function stepsToGenerate(
  endDate: number | null,
  last: number,
  grid: { indexOf: (instant: number) => number; timeAt: (index: number) => number },
  horizon: number | null,
): number {
  const steps = endDate === null ? (horizon ?? 1) : grid.indexOf(endDate) - last;
  if (!(steps >= 1)) {
    const next = new Date(grid.timeAt(last + 1)).toISOString();
    throw new GenerationImpossible(
      "end_date_not_after_last",
      `The end date must be ${next} or later, because it must follow the last known row.`,
    );
  }
  if (steps > GENERATED_ROWS_MAX) {
    throw new GenerationImpossible(
      "too_many_rows",
      `The end date is ${steps} steps ahead. At most ${GENERATED_ROWS_MAX} rows can be generated. Choose an earlier end date.`,
    );
  }
  return steps;
}

/** Returns the latest value of each grid cell, with categories as codes; NaN for cells without a row or value. */
export function onGrid(column: Column, indexes: Float64Array, first: number, length: number): Float64Array {
  const values = new Float64Array(length).fill(Number.NaN);
  indexes.forEach((index, row) => {
    if (index < first || index >= first + length) return;
    const value = column.type === "category" ? column.codes[row]! : column.values[row]!;
    const isMissing = column.type === "category" ? value < 0 : Number.isNaN(value);
    if (!isMissing) values[index - first] = value;
  });
  return values;
}

/** Returns the column with forecasts, of codes for categories, in place of its values. */
export function withForecast(column: Column, values: Float64Array): Column {
  return column.type === "category"
    ? { ...column, codes: Int32Array.from(values, (code) => (Number.isNaN(code) ? -1 : code)) }
    : { ...column, values };
}

export function isDiscrete(column: Column, values: Float64Array): boolean {
  if (column.type === "category" || column.type === "boolean") return true;
  return codesOf(values) !== null;
}
