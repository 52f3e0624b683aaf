import type { Table } from "#lib/contract/table";
import type { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { sliceRows } from "#lib/engine/table/rows";

type Readable = Pick<StoredInput, "rows">;

/**
 * Which row of each input (from 0, -1 for none) stands at each of `length` points; `rowOf` is null where the rows are the
 * points themselves.
 */
export type Points = { length: number; rowOf: readonly Int32Array[] | null };

/** Some neighbouring points with the rows that stand there: `rowOf` counts from the first row of each table. */
export type Stretch = { tables: Table[]; length: number; rowOf: Int32Array[] | null };

/** Whether the rows that stand at the points follow each other in every input, so that it can be read from its start to its end. */
export function areInOrder({ rowOf }: Points): boolean {
  return rowOf === null || rowOf.every(isAscending);
}

/**
 * Inputs side by side, a stretch of their points at a time: as many as lie in one block of each of them, so that nothing is
 * copied, and no more than a block of each is in memory. A table is there until the next stretch is asked for.
 *
 * @throws as `StoredInput.rows`
 */
export async function* inLockstep(
  inputs: readonly Readable[],
  { length, rowOf }: Points,
): AsyncGenerator<Stretch> {
  await using readers = new Readers(inputs);
  for (let start = 0; start < length; ) {
    const blocks = await readers.blocksAt((index) => (rowOf === null ? start : rowOf[index]![start]!));
    const ends = blocks.map(({ from, table }) => from + table.rowCount);
    let end = rowOf === null ? Math.min(length, ...ends) : start;
    if (rowOf !== null) while (end < length && rowOf.every((rows, index) => rows[end]! < ends[index]!)) end++;
    if (end === start) throw new RangeError("An input has fewer rows than its scenario.");
    yield {
      length: end - start,
      tables: blocks.map(({ from, table }) =>
        rowOf === null ? sliceRows(table, start - from, end - from) : table,
      ),
      rowOf: rowOf && blocks.map(({ from }, index) => withinBlock(rowOf[index]!.subarray(start, end), from)),
    };
    start = end;
  }
}

/** A block and its first row. */
type Block = { from: number; table: Table };

/** Goes through all inputs from their starts to their ends. */
class Readers implements AsyncDisposable {
  readonly #readers: { rows: AsyncGenerator<Table>; block: Block }[];

  constructor(inputs: readonly Readable[]) {
    this.#readers = inputs.map((input) => ({
      rows: input.rows(),
      block: { from: 0, table: { rowCount: 0, columns: [] } },
    }));
  }

  /** The blocks that hold these rows, which never go back; the one that was there before where a row is none. */
  blocksAt(rowOf: (index: number) => number): Promise<Block[]> {
    return Promise.all(
      this.#readers.map(async (reader, index) => {
        const row = rowOf(index);
        while (reader.block.from + reader.block.table.rowCount <= row) {
          const { done, value } = await reader.rows.next();
          if (done) break;
          reader.block = { from: reader.block.from + reader.block.table.rowCount, table: value };
        }
        return reader.block;
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#readers.map(({ rows }) => rows.return(undefined)));
  }
}

function isAscending(rows: Int32Array): boolean {
  let last = -1;
  for (const row of rows) {
    if (row === -1) continue;
    if (row <= last) return false;
    last = row;
  }
  return true;
}

const withinBlock = (rows: Int32Array, from: number) => rows.map((row) => (row === -1 ? -1 : row - from));
