import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";
import { type BlockPlace, decodeBlocks, rowsOfBlock } from "#lib/engine/table/blocks";
import { TableJoin } from "#lib/engine/table/concat";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { issueError } from "#lib/platform/errors/domain-error";
import { store } from "#lib/platform/storage/store";
import {
  type InputColumn,
  type Notes,
  readInputNotes,
  type ScenarioInput,
  tableFileName,
} from "./scenario-input.ts";

/**
 * A stored scenario input: one column per feature, in the order of the model's features. It can be larger than memory, so
 * it is read block by block or by row. If a model needs all rows at once, they are read into memory.
 */
export class StoredInput {
  readonly columns: readonly InputColumn[];
  readonly rowCount: number;
  readonly computed: readonly string[];
  readonly knownUntil: number | null;
  readonly generated: readonly string[];
  readonly #key: string;
  readonly #blocks: readonly BlockPlace[];

  private constructor(key: string, { computed, knownUntil, generated = [], layout }: Notes) {
    this.#key = key;
    this.#blocks = layout.blocks;
    this.columns = layout.columns;
    this.computed = computed;
    this.knownUntil = knownUntil;
    this.generated = generated;
    this.rowCount = layout.blocks.reduce((sum, { rows }) => sum + rows, 0);
  }

  /**
   * @param key folder of the input
   * @throws {ArtifactNotFoundError}
   */
  static async open(key: string): Promise<StoredInput> {
    return new StoredInput(key, await readInputNotes(key));
  }

  /**
   * Yields the rows from `from` up to, not including, `to` (counted from 0), some thousands at a time. Reads only the blocks
   * that contain them.
   *
   * @throws {ArtifactNotFoundError} if the scenario was deleted during the read
   */
  async *rows(from = 0, to = this.rowCount): AsyncGenerator<Table> {
    const { firstRow, start, end } = placeOf(this.#blocks, from, to);
    if (start === end) return;
    let row = firstRow;
    for await (const block of decodeBlocks(
      await store().openRead(this.#key, tableFileName, { start, end }),
    )) {
      yield from <= row && row + block.rowCount <= to ? block : sliceRows(block, from - row, to - row);
      row += block.rowCount;
    }
  }

  /**
   * Yields all rows, some thousands at a time, for slow consumers such as downloads. No file is open between two parts.
   *
   * @throws the errors of `rows`
   */
  async *parts(): AsyncGenerator<Table> {
    let row = 0;
    for (const { rows } of this.#blocks) {
      yield* await Array.fromAsync(this.rows(row, row + rows));
      row += rows;
    }
  }

  /**
   * Reads the given rows (counted from 0) in the given order. Reads neighbouring rows together.
   *
   * @throws {RangeError} for a row that does not exist; and the errors of `rows`
   */
  async take(rows: ArrayLike<number>): Promise<Table> {
    const distinct = [...new Set(Array.from(rows))].sort((a, b) => a - b);
    const absent = distinct.find((row) => !(row >= 0 && row < this.rowCount));
    if (absent !== undefined)
      throw new RangeError(`The input has ${this.rowCount} rows, but no row ${absent}`);
    const join = new TableJoin(distinct.length);
    join.add(this.#empty());
    // Rows closer together than one block are read in one call.
    const block = rowsOfBlock(this.columns.length);
    for (let at = 0; at < distinct.length; ) {
      let last = at;
      while (last + 1 < distinct.length && distinct[last + 1]! - distinct[last]! < block) last++;
      let row = distinct[at]!;
      for await (const part of this.rows(row, distinct[last]! + 1)) {
        const here: number[] = [];
        for (; at < distinct.length && distinct[at]! < row + part.rowCount; at++)
          here.push(distinct[at]! - row);
        join.add(takeRows(part, here));
        row += part.rowCount;
      }
    }
    const placeOf = new Map(distinct.map((row, place) => [row, place]));
    return takeRows(
      join.table,
      Int32Array.from(rows, (row) => placeOf.get(row)!),
    );
  }

  /**
   * Reads all rows, or the rows before `to`, into memory.
   *
   * @throws {DomainError} input_invalid for more values than the memory limit; and the errors of `rows`
   */
  async readAll(to = this.rowCount): Promise<Table> {
    const rowCount = Math.min(to, this.rowCount);
    requireWithinMemoryLimit(rowCount * this.columns.length);
    const join = new TableJoin(rowCount);
    join.add(this.#empty());
    for await (const block of this.rows(0, rowCount)) join.add(block);
    return join.table;
  }

  #empty(): Table {
    return { rowCount: 0, columns: this.columns.map(emptyColumn) };
  }
}

/**
 * Reads a complete input into memory.
 *
 * @throws the errors of `StoredInput.readAll`
 */
export async function readScenarioInput(key: string): Promise<ScenarioInput> {
  const input = await StoredInput.open(key);
  const { computed, knownUntil, generated } = input;
  return { table: await input.readAll(), computed, knownUntil, ...(generated.length > 0 && { generated }) };
}

/**
 * Finds the blocks that contain the rows from `from` up to, not including, `to`: their first row, and their byte range in
 * the file. The range is empty if there are no such rows.
 */
export function placeOf(
  blocks: readonly BlockPlace[],
  from: number,
  to: number,
): { firstRow: number; start: number; end: number } {
  let at = 0;
  let firstRow = 0;
  let start = 0;
  for (; at < blocks.length && firstRow + blocks[at]!.rows <= from; at++) {
    firstRow += blocks[at]!.rows;
    start += blocks[at]!.bytes;
  }
  let end = start;
  for (let row = firstRow; from < to && at < blocks.length && row < to; at++) {
    row += blocks[at]!.rows;
    end += blocks[at]!.bytes;
  }
  return { firstRow, start, end };
}

function emptyColumn({ name, type }: InputColumn): Column {
  return type === "category"
    ? { name, type, codes: new Int32Array(0), categories: [] }
    : { name, type, values: new Float64Array(0) };
}

function requireWithinMemoryLimit(values: number): void {
  if (values <= limits.tableValues) return;
  const most = limits.tableValues.toLocaleString("en");
  const message = `The input has ${values.toLocaleString("en")} values; at most ${most} are allowed. The limit applies because its rows build on each other, use upstream predictions or are not in time order, so all rows are read into memory. Split the rows into several scenarios.`;
  throw issueError("input_invalid", { code: "too_many_cells", message });
}
