import type { Column } from "#lib/contract/table";
import { wireNumber } from "#lib/engine/series/summary";
import { StoredInput } from "./stored-input.ts";

export type ReadInputPage = {
  /** Folder of the input. */
  inputKey: string;
} & (
  | {
      /** First row, counted from 0. */
      from: number;
      /** End of the rows, exclusive. */
      to: number;
    }
  | { rows: Int32Array }
);

type Value = number | string | boolean | null;

export type InputPage = {
  columns: (Pick<Column, "name" | "type"> & { computed: boolean; values: Value[] })[];
};

/** Reads rows of a scenario's input in the form of the API. */
export async function readInputPage({ inputKey, ...page }: ReadInputPage): Promise<InputPage> {
  const input = await StoredInput.open(inputKey);
  const columns = input.columns.map(({ name, type }) => ({
    name,
    type,
    computed: input.computed.includes(name),
    values: [] as Value[],
  }));
  const blocks = "rows" in page ? [await input.take(page.rows)] : input.rows(page.from, page.to);
  for await (const block of blocks)
    for (const [at, column] of block.columns.entries()) columns[at]!.values.push(...wireValues(column));
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
