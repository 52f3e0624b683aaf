import type { Cell, PredictionColumns } from "#lib/contract/prediction-columns";
import type { CategoryColumn, Column, NumericColumn, Table } from "#lib/contract/table";
import { badValue, notABoolean, notANumber } from "#lib/csv/cell-faults";
import { type Fault, FaultList, shorten } from "#lib/csv/faults";
import { readNumber } from "#lib/csv/numbers";
import type { InputFeature } from "#lib/ml/model/input-features";
import type { InputFormat } from "#lib/models/input-format";
import { readTimes } from "./input-times.ts";

export type InputTable = {
  /** The features that came and could be read, then what else came, for the check to name. */
  table: Table;
  /** Arrays of different lengths, values of the wrong type, times that cannot be read. */
  faults: FaultList;
  /** Columns with such faults: what else is found in them only follows from these. */
  faulty: ReadonlySet<string>;
};

const LISTED_MAX = 100;

/**
 * The columns of a prediction's input, as a CSV with the same values would give them: to the bit, since numbers are
 * taken as they are and times are read by the reader of CSV. Whether features are missing, and which values may be, is
 * for the model's own check to say.
 */
export function inputTable(
  input: PredictionColumns,
  features: readonly InputFeature[],
  format: InputFormat,
): InputTable {
  const given = new Map(Object.entries(input));
  const faults = new FaultList(LISTED_MAX, [...given.keys()]);
  const faulty = new Set<string>();
  const refuse = (row: number | null, column: string, fault: () => Fault) => {
    faults.addLazily(row, column, fault);
    faulty.add(column);
  };
  const rowCount = commonLength(given);
  for (const [name, values] of given) {
    if (values.length === rowCount) continue;
    given.delete(name);
    refuse(null, name, () => lengthFault(name, values.length, rowCount));
  }
  const columns: Column[] = [];
  for (const feature of features) {
    const values = given.get(feature.name);
    if (values === undefined) continue;
    given.delete(feature.name);
    if (feature.role !== "timestamp") {
      columns.push(readColumn(feature, values, format, refuse));
      continue;
    }
    const hours = format.timestampColumns?.[1];
    const times = readTimes({
      name: feature.name,
      dates: values,
      hours: hours === undefined ? undefined : given.get(hours),
      format,
    });
    if (hours !== undefined) given.delete(hours);
    faults.addAll(times.faults);
    for (const { column } of times.faults.faults) if (column !== null) faulty.add(column);
    columns.push(times.column);
  }
  // Only named in warnings: their values are never read.
  for (const name of given.keys()) columns.push({ name, type: "number", values: new Float64Array(rowCount) });
  return { table: { rowCount, columns }, faults, faulty };
}

/** The length that most arrays have, the longer of two that are as common. */
function commonLength(given: ReadonlyMap<string, readonly Cell[]>): number {
  const counts = new Map<number, number>();
  for (const { length } of given.values()) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce(
    (best, [length, count]) =>
      count > best.count || (count === best.count && length > best.length) ? { length, count } : best,
    { length: 0, count: 0 },
  ).length;
}

function lengthFault(column: string, length: number, rowCount: number): Fault {
  return {
    row: null,
    column,
    value: null,
    code: "ragged_row",
    message: `"${shorten(column)}" has ${length} ${length === 1 ? "value" : "values"}, other features have ${rowCount}.`,
    expected: `${rowCount} values`,
  };
}

type Refuse = (row: number | null, column: string, fault: () => Fault) => void;

function readColumn(
  feature: InputFeature,
  values: readonly Cell[],
  format: InputFormat,
  refuse: Refuse,
): Column {
  const { name, type } = feature;
  if (type === "category") return readCategories(name, values, format);
  if (type === "boolean") {
    const wrong = (row: number, value: Cell) =>
      refuse(row, name, () => notABoolean(row, name, String(value)));
    return numericColumn(name, "boolean", values, format, wrong, readBoolean);
  }
  const wrong = (row: number, value: Cell) => refuse(row, name, () => numberFault(row, name, value));
  return numericColumn(name, "number", values, format, wrong, (value) =>
    typeof value === "number" && Number.isFinite(value) ? value : null,
  );
}

/** @param read null for a value of the wrong type */
function numericColumn(
  name: string,
  type: "number" | "boolean",
  cells: readonly Cell[],
  format: InputFormat,
  wrong: (row: number, value: Cell) => void,
  read: (value: Cell) => number | null,
): NumericColumn {
  const values = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    const value = isMissing(cell, format) ? Number.NaN : read(cell);
    if (value === null) wrong(row + 1, cell);
    values[row] = value ?? Number.NaN;
  }
  return { name, type, values };
}

function readBoolean(value: Cell): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === 0 || value === 1 ? value : null;
}

/** Texts as they are but for white space around them; numbers and booleans as a CSV would write them. */
function readCategories(name: string, cells: readonly Cell[], format: InputFormat): CategoryColumn {
  const known = new Map<string, number>();
  const codes = Int32Array.from(cells, (cell) => {
    if (isMissing(cell, format)) return -1;
    const text = String(cell).trim();
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    return code;
  });
  return { name, type: "category", codes, categories: [...known.keys()] };
}

/** As in a CSV: null stands for the empty cell. */
function isMissing(cell: Cell, { missing }: InputFormat): boolean {
  if (cell === null) return true;
  if (typeof cell !== "string") return false;
  const text = cell.trim();
  return text === "" || missing.includes(text);
}

/** What a CSV with the same text would be told, and what only JSON can get wrong. */
function numberFault(row: number, column: string, cell: Cell): Fault {
  const text = String(cell);
  if (typeof cell === "string" && Number.isNaN(readNumber(cell.trim(), false)))
    return notANumber(row, column, cell.trim(), false);
  // JSON can write 1e400; what it is read as is infinite.
  if (typeof cell === "number") {
    const reason = "stands for a number that is beyond what a 64-bit float can hold";
    return badValue({ row, column, text, code: "number_out_of_range", reason, type: "number" });
  }
  const reason = typeof cell === "string" ? "is a text: send the number without quotes" : "is not a number";
  return badValue({ row, column, text, code: "not_a_number", reason, type: "number" });
}
