/** A stretch in which some feature is outside of what the model was trained on. */
export type OutsideSpan = {
  /** Places in the given order, both included. */
  first: number;
  last: number;
  /** Features that are outside somewhere in it. */
  features: string[];
};

/** The rows in which a feature is outside. */
export type OutsideRows = { feature: string; rows: RowMarks };

/**
 * The stretches of rows that a model has to extrapolate in, by any of its features: neighbouring rows are one
 * stretch, and so are those with the smallest gaps between them, until there are no more than `spansMax`.
 *
 * @param order rows (from 0) as they follow each other; a number: so many, as they come
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

/** The widest gap that does not part two stretches: wider ones are fewer than `spansMax`. 1: between neighbours. */
function widestClosed(places: Int32Array, spansMax: number): number {
  const gapAt = (at: number) => places[at]! - places[at - 1]!;
  const gaps = placesWhere(places.length, (at) => at > 0 && gapAt(at) > 1)
    .map(gapAt)
    .sort();
  return gaps.at(-spansMax) ?? 1;
}

/** Some of many rows, counted from 0: a bit for each. */
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
