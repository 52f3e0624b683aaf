/** A stretch of rows in which some feature is outside its training range. */
export type OutsideSpan = {
  /** Positions in the order of the rows, both inclusive. */
  first: number;
  last: number;
  /** Features that are outside in at least one row of the stretch. */
  features: string[];
};

/** Rows in which a feature is outside its training range. */
export type OutsideRows = { feature: string; rows: RowMarks };

/**
 * Returns the stretches of rows in which a model extrapolates by any of its features. Joins neighbouring rows, then
 * stretches with the smallest gaps between them, until at most `spansMax` are left.
 *
 * @param order row numbers (from 0) in their order; or the number of rows, if they are in order already
 */
export function outsideSpans(
  outside: readonly OutsideRows[],
  order: Int32Array | number,
  spansMax: number,
): OutsideSpan[] {
  const isOutside = ({ rows }: OutsideRows, place: number) =>
    rows.has(typeof order === "number" ? place : order[place]!);
  const places = placesWhere(typeof order === "number" ? order : order.length, (place) =>
    outside.some((one) => isOutside(one, place)),
  );
  const widest = widestClosed(places, spansMax);
  const spans: OutsideSpan[] = [];
  for (const place of places) {
    const span = spans.at(-1);
    if (span !== undefined && place - span.last <= widest) span.last = place;
    else spans.push({ first: place, last: place, features: [] });
  }
  for (const span of spans)
    for (const one of outside)
      for (let place = span.first; place <= span.last; place++)
        if (isOutside(one, place)) {
          span.features.push(one.feature);
          break;
        }
  return spans;
}

function placesWhere(length: number, isThere: (place: number) => boolean): Int32Array {
  let count = 0;
  for (let place = 0; place < length; place++) if (isThere(place)) count++;
  const places = new Int32Array(count);
  for (let place = 0, at = 0; at < count; place++) if (isThere(place)) places[at++] = place;
  return places;
}

/** Returns the largest distance of rows in one stretch: fewer than `spansMax` gaps are wider. 1 joins only neighbours. */
function widestClosed(places: Int32Array, spansMax: number): number {
  const gapAt = (at: number) => places[at]! - places[at - 1]!;
  const gaps = placesWhere(places.length, (at) => at > 0 && gapAt(at) > 1)
    .map(gapAt)
    .sort();
  return gaps.at(-spansMax) ?? 1;
}

/** Set of rows, counted from 0, with one bit per row. */
export class RowMarks {
  readonly #bits: Uint8Array;

  constructor(rowCount: number) {
    this.#bits = new Uint8Array(Math.ceil(rowCount / 8));
  }

  add(row: number): void {
    this.#bits[row >> 3]! |= 1 << (row & 7);
  }

  has(row: number): boolean {
    return ((this.#bits[row >> 3]! >> (row & 7)) & 1) === 1;
  }
}
