import type { Table } from "#lib/contract/table";
import { outsideTest } from "#lib/csv/outside-training";
import { findColumn } from "#lib/ml/table/columns";
import type { InputFeature } from "./input-features.ts";

/** A stretch in which some feature is outside of what the model was trained on. */
export type OutsideSpan = {
  /** Places in the given order, both included. */
  first: number;
  last: number;
  /** Features that are outside somewhere in it. */
  features: string[];
};

/**
 * The stretches of a table that a model has to extrapolate in, by any of its features: neighbouring rows are one
 * stretch, and so are those with the smallest gaps between them, until there are no more than `spansMax`.
 *
 * @param order rows (from 0) as they follow each other
 */
export function outsideSpans(
  table: Table,
  features: readonly InputFeature[],
  order: Int32Array,
  spansMax: number,
): OutsideSpan[] {
  const tests = features.flatMap((feature) => {
    const column = findColumn(table, feature.name);
    const isOutside = column === undefined ? null : outsideTest(column, feature);
    return isOutside === null ? [] : [{ name: feature.name, isOutside }];
  });
  const places = Array.from(order.keys()).filter((place) =>
    tests.some(({ isOutside }) => isOutside(order[place]!)),
  );
  const outside = Int32Array.from(places);
  const gaps = outside.slice(1).map((place, i) => place - outside[i]!);
  // Gaps wider than the one that may just stay open part the stretches.
  const widest = gaps.slice().sort().reverse()[spansMax - 1] ?? 1;
  const spans: OutsideSpan[] = [];
  for (const [i, place] of outside.entries()) {
    const span = spans.at(-1);
    if (span !== undefined && gaps[i - 1]! <= widest) span.last = place;
    else spans.push({ first: place, last: place, features: [] });
  }
  for (const span of spans) {
    const rows = order.subarray(span.first, span.last + 1);
    span.features = tests
      .filter(({ isOutside }) => rows.some((row) => isOutside(row)))
      .map(({ name }) => name);
  }
  return spans;
}
