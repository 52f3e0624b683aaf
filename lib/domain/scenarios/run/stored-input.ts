import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";
import { type BlockPlace, decodeBlocks, placedBlocks, rowsOfBlock } from "#lib/engine/table/blocks";
import { TableJoin } from "#lib/engine/table/concat";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { DomainError } from "#lib/platform/errors/domain-error";
import { store } from "#lib/platform/storage/store";
import { collect } from "#lib/storage/collect";
import {
  type InputColumn,
  type InputLayout,
  type InputNotes,
  readNotes,
  type ScenarioInput,
  tableFileName,
} from "./scenario-input.ts";

/**
 * A scenario's input where it is stored: one column a feature, in the order of the model's features. It may be larger than
 * memory, and is read block by block, a few rows, or, where a model needs that, whole.
 */
export class StoredInput {
  readonly columns: readonly InputColumn[];
  readonly rowCount: number;
  readonly computed: readonly string[];
  readonly knownUntil: number | null;
  readonly #key: string;
  readonly #blocks: readonly BlockPlace[];

  private constructor(key: string, { columns, blocks, computed, knownUntil }: InputLayout & InputNotes) {
    this.#key = key;
    this.#blocks = blocks;
    this.columns = columns;
    this.computed = computed;
    this.knownUntil = knownUntil;
    this.rowCount = blocks.reduce((sum, { rows }) => sum + rows, 0);
  }

  /**
   * @param key folder of the input
   * @throws {ArtifactNotFoundError}
   */
  static async open(key: string): Promise<StoredInput> {
    const { layout, ...notes } = await readNotes(key);
    return new StoredInput(key, { ...notes, ...(layout ?? (await layoutOf(key))) });
  }

  /**
   * Rows from `from` up to, not including, `to` (from 0), some thousands at a time; only the blocks that hold them are read.
   *
   * @throws {ArtifactNotFoundError} where the scenario was deleted since
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
   * All rows, some thousands at a time, for whoever may take long over them: a caller with a slow line, or one that goes.
   * Between two parts nothing is open.
   *
   * @throws as `rows`
   */
  async *parts(): AsyncGenerator<Table> {
    let row = 0;
    for (const { rows } of this.#blocks) {
      yield* await collect(this.rows(row, row + rows));
      row += rows;
    }
  }

  /**
   * The given rows (from 0) in the given order. Neighbouring ones are read together.
   *
   * @throws {RangeError} for a row that it does not have; and as `rows`
   */
  async take(rows: ArrayLike<number>): Promise<Table> {
    const wanted = [...new Set(Array.from(rows))].sort((a, b) => a - b);
    const none = wanted.find((row) => !(row >= 0 && row < this.rowCount));
    if (none !== undefined) throw new RangeError(`The input has ${this.rowCount} rows, and none at ${none}.`);
    const join = new TableJoin(wanted.length);
    join.add(this.#empty());
    // Rows that lie closer together than that are read in one go.
    const block = rowsOfBlock(this.columns.length);
    for (let at = 0; at < wanted.length; ) {
      let last = at;
      while (last + 1 < wanted.length && wanted[last + 1]! - wanted[last]! < block) last++;
      let row = wanted[at]!;
      for await (const part of this.rows(row, wanted[last]! + 1)) {
        const here: number[] = [];
        for (; at < wanted.length && wanted[at]! < row + part.rowCount; at++) here.push(wanted[at]! - row);
        join.add(takeRows(part, here));
        row += part.rowCount;
      }
    }
    const placeOf = new Map(wanted.map((row, place) => [row, place]));
    return takeRows(
      join.table,
      Int32Array.from(rows, (row) => placeOf.get(row)!),
    );
  }

  /**
   * All rows, or the first ones up to `to`, in memory.
   *
   * @throws {DomainError} input_invalid for more values than memory is given to; and as `rows`
   */
  async whole(to = this.rowCount): Promise<Table> {
    const rowCount = Math.min(to, this.rowCount);
    refuseTooLarge(rowCount * this.columns.length);
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
 * A whole input, in memory.
 *
 * @throws as `StoredInput.whole`
 */
export async function readScenarioInput(key: string): Promise<ScenarioInput> {
  const input = await StoredInput.open(key);
  const { computed, knownUntil } = input;
  return { table: await input.whole(), computed, knownUntil };
}

/**
 * Where the blocks lie that hold the rows from `from` up to, not including, `to`: their first row, and their bytes in the
 * file; none where there are no such rows.
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

/** Of an input that was stored without it. */
async function layoutOf(key: string): Promise<InputLayout> {
  const layout: InputLayout = { columns: [], blocks: [] };
  for await (const { table, place } of placedBlocks(await store().openRead(key, tableFileName))) {
    if (layout.blocks.length === 0) layout.columns = table.columns.map(({ name, type }) => ({ name, type }));
    layout.blocks.push(place);
  }
  return layout;
}

function emptyColumn({ name, type }: InputColumn): Column {
  return type === "category"
    ? { name, type, codes: new Int32Array(0), categories: [] }
    : { name, type, values: new Float64Array(0) };
}

function refuseTooLarge(values: number): void {
  if (values <= limits.tableValues) return;
  const most = limits.tableValues.toLocaleString("en");
  const message = `The rows of this input build on each other or on other projects' predictions, or are not in the order of time, and so are read together: it has ${values.toLocaleString("en")} values, and may have up to ${most}. Make several scenarios of its rows.`;
  throw new DomainError("input_invalid", message, { details: [{ code: "too_many_cells", message }] });
}
