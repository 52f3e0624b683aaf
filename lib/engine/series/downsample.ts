import type { RowWindow } from "./window.ts";

/**
 * Rows to draw instead of all of them, of several series of equal length at once: one set of rows for all, so that what
 * is compared stays aligned. At most `maxPoints` (at least 2), ascending, counted from 0. The first and the last row are
 * among them and, from 4 points on for a single series, its smallest and largest value; in every stretch the local
 * extremes of each; and where a stretch has values and gaps (NaN), one row of the gap, so that the line breaks there. The
 * stretches are as many as fit in `maxPoints`: series that move together share their extremes, and get more of them.
 *
 * @param window all rows without it
 */
export function downsampleShared(
  series: readonly Float64Array[],
  maxPoints: number,
  window: RowWindow = { start: 0, end: series[0]?.length ?? 0 },
): Int32Array {
  const { start, end } = window;
  const length = end - start;
  if (length <= maxPoints)
    return Int32Array.from({ length: Math.max(0, length) }, (_, index) => start + index);
  const finest = Math.ceil((maxPoints - 2) / 2);
  const stretches = series.map((values) => scan(values, start + 1, end - 1, finest));
  const picker = new RowPicker(window, maxPoints);
  let best = pickRows(stretches, finest, 1, picker);
  if (best === null) return fewestRows(series, window, maxPoints);
  let low = 1;
  let high = finest;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const rows = pickRows(stretches, finest, middle, picker);
    if (rows === null) high = middle - 1;
    else {
      best = rows;
      low = middle;
    }
  }
  return best;
}

/** Of each of the finest stretches of one series: the rows of its extremes and of its first gap, -1 for none. */
type Stretches = { values: Float64Array; low: Int32Array; high: Int32Array; gap: Int32Array };

/** The one pass over all values; wider stretches are put together from these. */
function scan(values: Float64Array, from: number, to: number, count: number): Stretches {
  const stretches = {
    values,
    low: new Int32Array(count),
    high: new Int32Array(count),
    gap: new Int32Array(count),
  };
  for (let i = 0; i < count; i++) {
    const start = from + Math.floor((i * (to - from)) / count);
    const end = from + Math.floor(((i + 1) * (to - from)) / count);
    const { low, high, gap } = extremes(values, start, end);
    stretches.low[i] = low;
    stretches.high[i] = high;
    stretches.gap[i] = gap;
  }
  return stretches;
}

/** Collects rows, each once, up to a number of them. */
class RowPicker {
  readonly #window: RowWindow;
  readonly #maxPoints: number;
  #rows = new Set<number>();

  constructor(window: RowWindow, maxPoints: number) {
    this.#window = window;
    this.#maxPoints = maxPoints;
  }

  get full(): boolean {
    return this.#rows.size > this.#maxPoints;
  }

  restart(): void {
    this.#rows = new Set([this.#window.start, this.#window.end - 1]);
  }

  pick(row: number): void {
    if (row !== -1) this.#rows.add(row);
  }

  take(): Int32Array | null {
    return this.full ? null : Int32Array.from(this.#rows).sort();
  }
}

/** First and last row, and of each of `wanted` stretches every series' extremes and a gap; null if too many. */
function pickRows(
  series: readonly Stretches[],
  finest: number,
  wanted: number,
  picker: RowPicker,
): Int32Array | null {
  picker.restart();
  // One row is enough of a gap that goes on through several stretches.
  const inGap = new Uint8Array(series.length);
  for (let stretch = 0; stretch < wanted && !picker.full; stretch++) {
    const from = Math.floor((stretch * finest) / wanted);
    const to = Math.floor(((stretch + 1) * finest) / wanted);
    for (let s = 0; s < series.length; s++) {
      const { low, high, gap } = merged(series[s]!, from, to);
      picker.pick(low);
      picker.pick(high);
      const gapAlone = low === -1;
      if (!gapAlone || inGap[s] === 0) picker.pick(gap);
      inGap[s] = gapAlone ? 1 : 0;
    }
  }
  return picker.take();
}

function merged({ values, low, high, gap }: Stretches, from: number, to: number) {
  let lowest = low[from]!;
  let highest = high[from]!;
  let firstGap = gap[from]!;
  for (let i = from + 1; i < to; i++) {
    if (firstGap === -1) firstGap = gap[i]!;
    if (low[i] === -1) continue;
    if (lowest === -1 || values[low[i]!]! < values[lowest]!) lowest = low[i]!;
    if (highest === -1 || values[high[i]!]! > values[highest]!) highest = high[i]!;
  }
  return { low: lowest, high: highest, gap: firstGap };
}

/** Rows of the smallest and the largest value and of the first gap from `from` up to `to`; -1 for none. */
function extremes(
  values: Float64Array,
  from: number,
  to: number,
): { low: number; high: number; gap: number } {
  let low = -1;
  let high = -1;
  let gap = -1;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let row = from; row < to; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) {
      if (gap === -1) gap = row;
      continue;
    }
    if (value < min || low === -1) {
      min = value;
      low = row;
    }
    if (value > max || high === -1) {
      max = value;
      high = row;
    }
  }
  return { low, high, gap };
}

/** Where not even one stretch fits: first, last, and as many of the series' largest and smallest as do. */
function fewestRows(
  series: readonly Float64Array[],
  { start, end }: RowWindow,
  maxPoints: number,
): Int32Array {
  const rows = new Set([start, end - 1]);
  const found = series.map((values) => extremes(values, start + 1, end - 1));
  for (const row of [...found.map(({ high }) => high), ...found.map(({ low }) => low)]) {
    if (row !== -1 && rows.size < maxPoints) rows.add(row);
  }
  return Int32Array.from(rows).sort();
}
