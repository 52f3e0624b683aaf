import type { Column, Table } from "#lib/contract/table";
import { writeCsv } from "#lib/csv/write";
import type { StoredSeries } from "./read-predictions.ts";

/**
 * The input with the columns `prediction`, `lower` and `upper` behind it, as CSV, piece by piece. Where the input has
 * a column of such a name, the prediction's gets `_2`, `_3`, … so that the header stays unambiguous.
 */
export function predictionsCsv(input: Table, { prediction, lower, upper }: StoredSeries): Generator<string> {
  const taken = new Set(input.columns.map(({ name }) => name));
  const results: [name: string, values: Float64Array | null][] = [
    ["prediction", prediction],
    ["lower", lower],
    ["upper", upper],
  ];
  const columns = results.flatMap(([name, values]): Column[] =>
    values === null ? [] : [{ name: freeName(name, taken), type: "number", values }],
  );
  return writeCsv({ rowCount: input.rowCount, columns: [...input.columns, ...columns] });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; number++) {
    if (!taken.has(free)) return free;
    free = `${name}_${number}`;
  }
}
