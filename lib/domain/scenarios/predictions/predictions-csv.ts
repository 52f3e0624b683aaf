import type { Column, Table } from "#lib/contract/table";
import { writeHeader, writeRows } from "#lib/engine/csv/write";
import { sliceRows } from "#lib/engine/table/rows";
import type { Predicted } from "./read-predictions.ts";

/**
 * The input with the columns `prediction`, `lower` and `upper` behind it, as CSV, piece by piece. Where the input has
 * a column of such a name, the prediction's gets `_2`, `_3`, … so that the header stays unambiguous.
 *
 * @param blocks the input's rows one after the other; one block is in memory at a time
 * @param predictedFrom predictions of some rows from the given one (from 0) on, one at least; asked for in turn
 * @throws what `predictedFrom` throws, where it does so for row 0 before the first piece
 */
export async function* predictionsCsv(
  blocks: AsyncIterable<Table>,
  predictedFrom: (row: number) => Promise<Predicted>,
): AsyncGenerator<string> {
  let row = 0;
  let part: Table | null = null;
  let partStart = 0;
  for await (const block of blocks) {
    const blockStart = row;
    const blockEnd = row + block.rowCount;
    while (row < blockEnd) {
      if (part === null || row === partStart + part.rowCount) {
        const isFirst = part === null;
        part = tableOf(await predictedFrom(row), block);
        partStart = row;
        if (isFirst) yield writeHeader([...block.columns, ...part.columns].map(({ name }) => name));
      }
      const to = Math.min(blockEnd, partStart + part.rowCount);
      const input = sliceRows(block, row - blockStart, to - blockStart);
      const predicted = sliceRows(part, row - partStart, to - partStart);
      yield* writeRows({ rowCount: to - row, columns: [...input.columns, ...predicted.columns] });
      row = to;
    }
  }
}

function tableOf({ prediction, lower, upper }: Predicted, input: Table): Table {
  const taken = new Set(input.columns.map(({ name }) => name));
  const results: [name: string, values: Float64Array | null][] = [
    ["prediction", prediction],
    ["lower", lower],
    ["upper", upper],
  ];
  const columns = results.flatMap(([name, values]): Column[] =>
    values === null ? [] : [{ name: freeName(name, taken), type: "number", values }],
  );
  return { rowCount: prediction.length, columns };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; number++) {
    if (!taken.has(free)) return free;
    free = `${name}_${number}`;
  }
}
