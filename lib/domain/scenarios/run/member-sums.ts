import type { Table } from "#lib/contract/table";
import type { Members } from "#lib/engine/inference/members";
import { accumulate, type Cells, cellCount } from "#lib/engine/intervals/stored-totals";
import { takeRows } from "#lib/engine/table/rows";

/** Maximum number of rows that members predict in each cell of the stored totals: at most 20,000 in total. */
const ROWS_OF_CELL = 20;
/** Maximum number of rows if rows build on each other, because members then predict every row. */
const BUILDING_ROWS_MAX = 5_000;

/** Adds up the predictions of a model's members by cell, from some rows of each cell. */
export class MemberSums {
  readonly #members: Members | null;
  readonly #cells: Cells;
  #sums: Float64Array[] = [];

  constructor(members: Members | null, cells: Cells, rowsBuildOnEachOther: boolean) {
    this.#members = rowsBuildOnEachOther && cells.rowCount > BUILDING_ROWS_MAX ? null : members;
    this.#cells = cells;
  }

  /**
   * Adds a part of the scenario's rows.
   *
   * @param firstRow number of its first row, from 0
   */
  async add(part: Table, firstRow: number, history: Table | undefined): Promise<void> {
    if (this.#members === null) return;
    const rows = Int32Array.from(this.#sampled(firstRow, firstRow + part.rowCount));
    if (rows.length === 0) return;
    const sample =
      rows.length === part.rowCount
        ? part
        : takeRows(
            part,
            rows.map((row) => row - firstRow),
          );
    const predicted = await this.#members.predict(sample, history);
    const length = cellCount(this.#cells) + 1;
    if (this.#sums.length === 0) this.#sums = predicted.map(() => new Float64Array(length));
    for (const [member, values] of predicted.entries()) {
      const sums = this.#sums[member]!;
      for (const [at, row] of rows.entries()) {
        const { cell, size } = this.#cellOf(row);
        sums[cell + 1]! += (values[at]! * size) / Math.min(size, ROWS_OF_CELL);
      }
    }
  }

  /** Each member's sum over the first i cells at position i; empty without members. */
  get prefixes(): Float64Array[] {
    return this.#sums.map(accumulate);
  }

  #cellOf(row: number): { cell: number; start: number; size: number } {
    const { every, rowCount } = this.#cells;
    const cell = Math.floor(row / every);
    const start = cell * every;
    return { cell, start, size: Math.min(every, rowCount - start) };
  }

  /** Yields the sampled rows, evenly spaced within each cell. */
  *#sampled(from: number, to: number): Generator<number> {
    for (let row = from; row < to; ) {
      const { start, size } = this.#cellOf(row);
      const count = Math.min(size, ROWS_OF_CELL);
      for (let i = 0; i < count; i++) {
        const sampled = start + Math.floor((i * size) / count);
        if (sampled >= from && sampled < to) yield sampled;
      }
      row = start + size;
    }
  }
}
