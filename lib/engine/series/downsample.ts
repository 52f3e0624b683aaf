/** Number of points of a chart, by default. */
export const CHART_POINTS = 1_000;

/**
 * Selects the rows to draw of several series of equal length. All series share the rows, so that they stay aligned.
 * Returns at most `maxPoints` (at least 2) rows, ascending, counted from 0:
 *
 * - the smallest and the largest value of the first series;
 * - from 4 points, the first and the last row;
 * - in every stretch, the local extremes of each series;
 * - in a stretch with values and gaps (NaN), one row of the gap, so that the line breaks.
 *
 * The number of stretches is the largest that fits in `maxPoints`. Series that move together share their extremes and
 * therefore get more stretches.
 */
export function downsampleShared(series: readonly Float64Array[], maxPoints: number): Int32Array {
  const length = series[0]?.length ?? 0;
  if (length <= maxPoints) return Int32Array.from({ length }, (_, row) => row);
  const finest = Math.ceil((maxPoints - 2) / 2);
  const stretches = series.map((values) => scan(values, finest));
  const picker = new RowPicker(length, maxPoints);
  let best = pickRows(stretches, finest, 1, picker);
  if (best === null) return fewestRows(series, length, maxPoints);
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

/** Rows of the extremes and of the first gap in each of the finest stretches of one series, -1 for none. */
type Stretches = { values: Float64Array; low: Int32Array; high: Int32Array; gap: Int32Array };

/** Scans all values between the first and the last once. Wider stretches are combined from these. */
function scan(values: Float64Array, count: number): Stretches {
  const inner = values.length - 2;
  const stretches = {
    values,
    low: new Int32Array(count),
    high: new Int32Array(count),
    gap: new Int32Array(count),
  };
  for (let i = 0; i < count; i++) {
    const start = 1 + Math.floor((i * inner) / count);
    const end = 1 + Math.floor(((i + 1) * inner) / count);
    const { low, high, gap } = extremes(values, start, end);
    stretches.low[i] = low;
    stretches.high[i] = high;
    stretches.gap[i] = gap;
  }
  return stretches;
}

/** Collects distinct rows up to a maximum. */
class RowPicker {
  readonly #length: number;
  readonly #maxPoints: number;
  #rows = new Set<number>();

  constructor(length: number, maxPoints: number) {
    this.#length = length;
    this.#maxPoints = maxPoints;
  }

  get full(): boolean {
    return this.#rows.size > this.#maxPoints;
  }

  restart(): void {
    this.#rows = new Set([0, this.#length - 1]);
  }

  pick(row: number): void {
    if (row !== -1) this.#rows.add(row);
  }

  take(): Int32Array | null {
    return this.full ? null : Int32Array.from(this.#rows).sort();
  }
}

/**
 * Selects the first and last row, and every series' extremes and a gap per stretch. Returns null if there are too
 * many.
 */
function pickRows(
  series: readonly Stretches[],
  finest: number,
  wanted: number,
  picker: RowPicker,
): Int32Array | null {
  picker.restart();
  // A gap that spans several stretches needs only one row.
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

/**
 * Returns the rows of the smallest value, the largest value and the first gap from `from` to `to` (exclusive); -1 for
 * none.
 */
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

/**
 * Fallback if not even one stretch fits: the extremes of the first series, which a chart shows at any number of points, then the
 * first row, the last row and the other series' extremes, as many as fit.
 */
function fewestRows(series: readonly Float64Array[], length: number, maxPoints: number): Int32Array {
  const rows = new Set<number>();
  const [first, ...others] = series.map((values) => extremes(values, 0, length));
  const ofOthers = [...others.map(({ high }) => high), ...others.map(({ low }) => low)];
  for (const row of [first!.low, first!.high, 0, length - 1, ...ofOthers]) {
    if (row !== -1 && rows.size < maxPoints) rows.add(row);
  }
  return Int32Array.from(rows).sort();
}
