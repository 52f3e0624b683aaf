import type { Table } from "#lib/contract/table";
import type { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { sliceRows } from "#lib/engine/table/rows";

type Readable = Pick<StoredInput, "rows">;

/**
 * The row of each input (from 0; -1: no row) at each of `length` points. `rowOf` is null if the rows are the points.
 */
type AlignedRows = { length: number; rowOf: readonly Int32Array[] | null };

/** A contiguous stretch of points with their rows. `rowOf` counts from the first row of each table. */
export type Stretch = { tables: Table[]; length: number; rowOf: Int32Array[] | null };

/** Returns whether the rows at the points ascend in every input, so that each input can be read sequentially. */
export function areInOrder({ rowOf }: AlignedRows): boolean {
  return rowOf === null || rowOf.every(isAscending);
}

/**
 * Reads inputs in parallel, one stretch of points at a time. A stretch lies within one block of each input, so nothing is
 * copied, and only one block of each input is in memory. A table is valid until the next stretch is requested.
 *
 * @throws the errors of `StoredInput.rows`
 */
export async function* inLockstep(
  inputs: readonly Readable[],
  { length, rowOf }: AlignedRows,
): AsyncGenerator<Stretch> {
  await using readers = new Readers(inputs);
  for (let start = 0; start < length; ) {
    const blocks = await readers.blocksAt((index) => (rowOf === null ? start : rowOf[index]![start]!));
    const ends = blocks.map(({ from, table }) => from + table.rowCount);
    let end = rowOf === null ? Math.min(length, ...ends) : start;
    if (rowOf !== null) while (end < length && rowOf.every((rows, index) => rows[end]! < ends[index]!)) end++;
    if (end === start) throw new RangeError("An input has fewer rows than its scenario");
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

/** A block and the index of its first row. */
type Block = { from: number; table: Table };

/** Reads all inputs sequentially. */
class Readers implements AsyncDisposable {
  readonly #readers: { rows: AsyncGenerator<Table>; block: Block }[];

  constructor(inputs: readonly Readable[]) {
    this.#readers = inputs.map((input) => ({
      rows: input.rows(),
      block: { from: 0, table: { rowCount: 0, columns: [] } },
    }));
  }

  /** Returns the blocks that contain these rows. Rows never decrease between calls. Row -1 keeps the previous block. */
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
