import { counted } from "#lib/contract/counted";
import type { Cell, PredictionColumns } from "#lib/contract/prediction-columns";
import type { CategoryColumn, Column, NumericColumn, Table } from "#lib/contract/table";
import type { InputFormat } from "#lib/domain/models/input-format";
import { badValue, notABoolean, notANumber } from "#lib/engine/csv/cell-issues";
import { type Fault, FaultList, shorten } from "#lib/engine/csv/issues";
import { readNumber } from "#lib/engine/csv/numbers";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { cellText } from "#lib/predictions/cell-text";
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
  const names = Object.keys(input);
  const faults = new FaultList(LISTED_MAX, names);
  const faulty = new Set<string>();
  const refuse: Refuse = (row, column, fault) => {
    faults.addLazily(row, column, fault);
    faulty.add(column);
  };
  const rowCount = commonLength(names, input);
  for (const name of names) {
    const { length } = input[name]!;
    if (length !== rowCount) refuse(null, name, () => lengthFault(name, length, rowCount));
  }
  let unread = names.length;
  const take = (name: string): Cell[] | undefined => {
    if (!Object.hasOwn(input, name)) return undefined;
    unread--;
    return input[name]!.length === rowCount ? input[name] : undefined;
  };
  const hoursName = format.timestampColumns?.[1];
  let areHoursRead = false;
  const columns: Column[] = [];
  for (const feature of features) {
    const cells = take(feature.name);
    if (cells === undefined) continue;
    if (feature.role !== "timestamp") {
      columns.push(readColumn(feature, cells, format, refuse));
      continue;
    }
    const hours = hoursName === undefined ? undefined : take(hoursName);
    areHoursRead = true;
    const times = readTimes({ name: feature.name, dates: cells, hours, format });
    faults.addAll(times.faults);
    for (const { column } of times.faults.faults) if (column !== null) faulty.add(column);
    columns.push(times.column);
  }
  if (unread === 0) return { table: { rowCount, columns }, faults, faulty };
  const read = new Set(features.map(({ name }) => name));
  if (areHoursRead && hoursName !== undefined) read.add(hoursName);
  // Only named in warnings: their values are never read.
  for (const name of names)
    if (!read.has(name) && input[name]!.length === rowCount)
      columns.push({ name, type: "number", values: new Float64Array(rowCount) });
  return { table: { rowCount, columns }, faults, faulty };
}

/** The length that most arrays have, the longer of two that are as common. */
function commonLength(names: readonly string[], input: PredictionColumns): number {
  const first = names.length === 0 ? 0 : input[names[0]!]!.length;
  if (names.every((name) => input[name]!.length === first)) return first;
  const counts = new Map<number, number>();
  for (const name of names) counts.set(input[name]!.length, (counts.get(input[name]!.length) ?? 0) + 1);
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
    message: `"${shorten(column)}" has ${counted(length, "value")}, other features have ${rowCount}.`,
    expected: counted(rowCount, "value"),
  };
}

type Refuse = (row: number | null, column: string, fault: () => Fault) => void;

function readColumn(
  { name, type }: InputFeature,
  cells: readonly Cell[],
  format: InputFormat,
  refuse: Refuse,
): Column {
  if (type === "category") return readCategories(name, cells, format, refuse);
  if (type === "boolean")
    return numericColumn(name, "boolean", cells, format, refuse, readBoolean, booleanFault);
  return numericColumn(name, "number", cells, format, refuse, readFinite, numberFault);
}

/** @param read null for a value of the wrong type */
function numericColumn(
  name: string,
  type: "number" | "boolean",
  cells: readonly Cell[],
  format: InputFormat,
  refuse: Refuse,
  read: (value: Cell) => number | null,
  faultOf: (row: number, column: string, cell: Cell) => Fault,
): NumericColumn {
  const values = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    const value = isMissing(cell, format) ? Number.NaN : read(cell);
    if (value === null) refuse(row + 1, name, () => faultOf(row + 1, name, cell));
    values[row] = value ?? Number.NaN;
  }
  return { name, type, values };
}

function readFinite(value: Cell): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function readBoolean(value: Cell): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === 0 || value === 1 ? value : null;
}

const booleanFault = (row: number, column: string, cell: Cell) => notABoolean(row, column, cellText(cell));

/** Texts as they are but for white space around them; numbers and booleans as a CSV would write them. */
function readCategories(
  name: string,
  cells: readonly Cell[],
  format: InputFormat,
  refuse: Refuse,
): CategoryColumn {
  const known = new Map<string, number>();
  const codes = Int32Array.from(cells, (cell, row) => {
    if (isMissing(cell, format)) return -1;
    if (typeof cell === "object") {
      refuse(row + 1, name, () => textFault(row + 1, name, cell));
      return -1;
    }
    const text = String(cell).trim();
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    return code;
  });
  return { name, type: "category", codes, categories: [...known.keys()] };
}

function textFault(row: number, column: string, cell: Cell): Fault {
  const text = cellText(cell);
  return badValue({ row, column, text, code: "not_a_text", reason: "is not a text", type: "category" });
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
  const text = cellText(cell);
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
