import { placeChunk } from "#lib/engine/series/chunks";

/** Maximum number of cells. A scenario of at most this many rows has one row per cell. */
const CELLS_MAX = 1_000;

/** Version of the stored bytes. */
const VERSION = 1;
/** Number of values in the header. */
const HEADER = 5;

/** Rows of a scenario in cells of `every` consecutive rows; the last cell may have fewer. */
export type Cells = { rowCount: number; every: number };

/**
 * Sums over a scenario's rows, for intervals of totals. Position i of each array holds the sum over the first i cells, so
 * that a sum over any span is a difference.
 */
export type StoredTotals = Cells & {
  /** Squared half widths at 90%; null for a model without prediction intervals. */
  squares: Float64Array | null;
  /** Predictions of each member of the model; empty for a model without members. */
  members: Float64Array[];
};

export function cellsOf(rowCount: number): Cells {
  return { rowCount, every: Math.max(1, Math.ceil(rowCount / CELLS_MAX)) };
}

export const cellCount = ({ rowCount, every }: Cells): number => Math.ceil(rowCount / every);

/** Adds up the values of consecutive rows by cell. Skips NaN. */
export class CellSums {
  readonly #every: number;
  readonly #sums: Float64Array;
  #row = 0;

  constructor(cells: Cells) {
    this.#every = cells.every;
    this.#sums = new Float64Array(cellCount(cells) + 1);
  }

  add(values: Float64Array): void {
    for (let i = 0; i < values.length; i++, this.#row++) {
      const value = values[i]!;
      if (!Number.isNaN(value)) this.#sums[Math.floor(this.#row / this.#every) + 1]! += value;
    }
  }

  /** Position i holds the sum over the first i cells. */
  get prefix(): Float64Array {
    return accumulate(this.#sums);
  }
}

/** Returns running sums. */
export function accumulate(values: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}

/**
 * Returns the sum over the rows from `from` up to, not including, `to`. Assumes that the values of a cell are equal, which
 * is exact at the borders of cells.
 */
export function sumBetween(
  prefix: Float64Array,
  { rowCount, every }: Cells,
  { from, to }: { from: number; to: number },
): number {
  const at = (row: number) => {
    const cell = Math.min(prefix.length - 1, Math.floor(row / every));
    const start = cell * every;
    const rows = Math.min(every, rowCount - start);
    if (row <= start || rows <= 0) return prefix[cell]!;
    const share = Math.min(1, (row - start) / rows);
    return prefix[cell]! + share * (prefix[cell + 1]! - prefix[cell]!);
  };
  return at(to) - at(from);
}

/** Converts to the stored bytes: little-endian float64, a header and the arrays one after the other. */
export function encodeTotals({ rowCount, every, squares, members }: StoredTotals): Uint8Array {
  const arrays = squares ? [squares, ...members] : members;
  const values = [
    VERSION,
    rowCount,
    every,
    squares ? 1 : 0,
    members.length,
    ...arrays.flatMap((one) => [...one]),
  ];
  const bytes = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach((value, at) => {
    bytes.setFloat64(8 * at, value, true);
  });
  return new Uint8Array(bytes.buffer);
}

/** @throws RangeError for bytes that `encodeTotals` did not write */
export function decodeTotals(bytes: Uint8Array): StoredTotals {
  const values = new Float64Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  placeChunk(values, 0, { chunk: 0, rowStart: 0, rowCount: values.length, data: bytes });
  const value = (at: number) => values[at]!;
  if (value(0) !== VERSION) throw new RangeError(`Totals of version ${value(0)} cannot be read.`);
  const cells = { rowCount: value(1), every: value(2) };
  const length = cellCount(cells) + 1;
  const array = (index: number) => values.subarray(HEADER + index * length, HEADER + (index + 1) * length);
  const hasSquares = value(3);
  return {
    ...cells,
    squares: hasSquares ? array(0) : null,
    members: Array.from({ length: value(4) }, (_, member) => array(hasSquares + member)),
  };
}
