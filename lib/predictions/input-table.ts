import type { CategoryColumn, Column, NumericColumn, Table } from "#lib/contract/table";
import { type Fault, FaultList, shorten } from "#lib/csv/faults";
import type { InputFeature } from "#lib/ml/model/input-features";
import type { InputFormat } from "#lib/models/input-format";
import { readTimes } from "./input-times.ts";
import type { CellValue, PredictionInput } from "./prediction-input.ts";

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
  input: PredictionInput,
  features: readonly InputFeature[],
  format: InputFormat,
): InputTable {
  const faults = new FaultList(LISTED_MAX);
  const faulty = new Set<string>();
  const refuse = (fault: Fault) => {
    faults.add(fault);
    if (fault.column !== null) faulty.add(fault.column);
  };
  const given = new Map(Object.entries(input));
  const rowCount = commonLength([...given.values()].map(({ length }) => length));
  for (const [name, values] of given) {
    if (values.length === rowCount) continue;
    given.delete(name);
    refuse(lengthFault(name, values.length, rowCount));
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
    for (const fault of times.faults) refuse(fault);
    columns.push(times.column);
  }
  // Only named in warnings: their values are never read.
  for (const name of given.keys()) columns.push({ name, type: "number", values: new Float64Array(rowCount) });
  return { table: { rowCount, columns }, faults, faulty };
}

/** The length that most arrays have, the longer of two that are as common. */
function commonLength(lengths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
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

type Refuse = (fault: Fault) => void;

function readColumn(
  feature: InputFeature,
  values: readonly CellValue[],
  format: InputFormat,
  refuse: Refuse,
): Column {
  const { name, type } = feature;
  if (type === "category") return readCategories(name, values, format);
  const wrong = (row: number, value: CellValue) => refuse(typeFault(feature, row + 1, value));
  if (type === "boolean") return numericColumn(name, "boolean", values, format, wrong, readBoolean);
  return numericColumn(name, "number", values, format, wrong, (value) =>
    typeof value === "number" ? value : null,
  );
}

/** @param read null for a value of the wrong type */
function numericColumn(
  name: string,
  type: "number" | "boolean",
  cells: readonly CellValue[],
  format: InputFormat,
  wrong: (row: number, value: CellValue) => void,
  read: (value: CellValue) => number | null,
): NumericColumn {
  const values = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    const value = isMissing(cell, format) ? Number.NaN : read(cell);
    if (value === null) wrong(row, cell);
    values[row] = value ?? Number.NaN;
  }
  return { name, type, values };
}

function readBoolean(value: CellValue): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === 0 || value === 1 ? value : null;
}

/** Texts as they are but for white space around them; numbers and booleans as a CSV would write them. */
function readCategories(name: string, cells: readonly CellValue[], format: InputFormat): CategoryColumn {
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
function isMissing(cell: CellValue, { missing }: InputFormat): boolean {
  if (cell === null) return true;
  if (typeof cell !== "string") return false;
  const text = cell.trim();
  return text === "" || missing.includes(text);
}

const EXPECTED = { number: "a number", boolean: "true or false" } as const;

function typeFault({ name, type }: InputFeature, row: number, cell: CellValue): Fault {
  const expected = type === "boolean" ? EXPECTED.boolean : EXPECTED.number;
  const value = shorten(String(cell));
  const shown = typeof cell === "string" ? `the text "${value}"` : value;
  return {
    row,
    column: name,
    value,
    code: type === "boolean" ? "not_a_boolean" : "not_a_number",
    message: `Row ${row}, "${name}": ${shown} is not ${expected}.`,
    expected,
  };
}
