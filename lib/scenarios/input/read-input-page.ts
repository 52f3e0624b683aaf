import type { Column } from "#lib/contract/table";
import { sliceRows } from "#lib/ml/table/rows";
import { wireNumber } from "#lib/series/summary";
import { readScenarioInput } from "./stored-input.ts";

export type ReadInputPage = {
  /** Folder of the input. */
  inputKey: string;
  /** Rows from 0, `to` not included. */
  from: number;
  to: number;
};

type Value = number | string | boolean | null;

export type InputPage = {
  columns: (Pick<Column, "name" | "type"> & { computed: boolean; values: Value[] })[];
};

/** Some rows of a scenario's input, as they go over the wire. */
export async function readInputPage({ inputKey, from, to }: ReadInputPage): Promise<InputPage> {
  const { table, computed } = await readScenarioInput(inputKey);
  const columns = sliceRows(table, from, to).columns.map((column) => ({
    name: column.name,
    type: column.type,
    computed: computed.includes(column.name),
    values: wireValues(column),
  }));
  return { columns };
}

function wireValues(column: Column): Value[] {
  if (column.type === "category") {
    return Array.from(column.codes, (code) => (code < 0 ? null : column.categories[code]!));
  }
  return Array.from(column.values, (value) => {
    if (Number.isNaN(value)) return null;
    if (column.type === "boolean") return value !== 0;
    return column.type === "timestamp" ? new Date(value).toISOString() : wireNumber(value);
  });
}
