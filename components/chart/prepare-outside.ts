import type { Displays } from "#components/display/shown.ts";
import { quoted } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Extrapolation } from "#lib/contract/extrapolation";
import { lastNotAfter } from "#lib/engine/series/window";
import type { ChartAxis } from "./axis.ts";
import type { Span } from "./scale.ts";

/** Span of the axis in which a scenario's inputs are outside the known range. */
export type OutsideMark = {
  id: string;
  title: string;
  from: number;
  to: number;
  features: string[];
};

/**
 * Converts spans for the chart: clipped to the shown range, and each at least as wide as a point so that a single row
 * is visible. A bucket is marked at its start, where its point is.
 */
export function prepareOutside(
  { spans }: Extrapolation,
  { kind, domain, xs, buckets }: ChartAxis,
  scenario: { id: string; title: string },
): OutsideMark[] {
  const [first, last] = domain;
  const margin = xs.length > 1 ? (last - first) / (xs.length - 1) / 2 : 0;
  const end = Date.parse(buckets?.to ?? "");
  const placeOf = (x: number) => (buckets ? (xs[lastNotAfter(xs, x)] ?? Number.NEGATIVE_INFINITY) : x);
  return spans.flatMap(({ from, to, firstRow, lastRow, features }): OutsideMark[] => {
    // On a row axis, spans of an input with times still follow the order of time.
    const ends = kind === "time" ? [from, to].map((at) => Date.parse(at ?? "")) : [firstRow, lastRow];
    // The last bucket does not extend to rows beyond the shown ones.
    if (Math.min(...ends) > end) return [];
    const low = Math.max(placeOf(Math.min(...ends)) - margin, first);
    const high = Math.min(placeOf(Math.max(...ends)) + margin, last);
    if (!(low < high)) return [];
    return [{ ...scenario, from: low, to: high, features }];
  });
}

/** Returns an extrapolation with the names by which the features are shown. */
export function withShownNames(extrapolation: Extrapolation, displays: Displays): Extrapolation {
  const nameOf = (feature: string) => displays(feature).name;
  return {
    ...extrapolation,
    features: extrapolation.features.map((one) => ({ ...one, feature: nameOf(one.feature) })),
    spans: extrapolation.spans.map((one) => ({ ...one, features: one.features.map(nameOf) })),
  };
}

const unshaded: readonly Span[] = [];

/**
 * Merges the shaded spans, so that each span is shaded once for any number of scenarios. The empty result is always the
 * same object, so that charts do not redraw.
 */
export function shadedSpans(marks: readonly OutsideMark[]): readonly Span[] {
  if (marks.length === 0) return unshaded;
  const spans: [number, number][] = [];
  for (const { from, to } of [...marks].sort((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

/**
 * Returns text such as "outside the known range: price, temp" for each scenario outside the known range at this
 * position.
 */
export function outsideAt(
  marks: readonly OutsideMark[],
  x: number,
): { id: string; title: string; text: string }[] {
  const here = marks.filter(({ from, to }) => x >= from && x <= to);
  return [...Map.groupBy(here, ({ id }) => id).values()].map((same) => {
    const features = [...new Set(same.flatMap(({ features }) => features))];
    return { id: same[0]!.id, title: same[0]!.title, text: `outside the known range: ${listed(features)}` };
  });
}

/** Describes the shaded spans in words, for readers who cannot see them. */
export function describeOutside(
  found: readonly { title: string; extrapolation: Extrapolation }[],
): string | null {
  const parts = found
    .filter(({ extrapolation }) => extrapolation.features.length > 0)
    .map(({ title, extrapolation: { features, rowCount } }) => {
      const named = features.map(
        ({ feature, rows }) => `${feature} (${rows.toLocaleString("en")} of ${counted(rowCount, "row")})`,
      );
      return `${quoted(title)} in ${listed(named)}`;
    });
  return parts.length === 0
    ? null
    : `Shaded where inputs are outside the known range (extrapolation): ${listed(parts, "; ")}.`;
}

export const LISTED_MAX = 4;

function listed(names: readonly string[], between = ", "): string {
  if (names.length <= LISTED_MAX) return names.join(between);
  return `${names.slice(0, LISTED_MAX).join(between)} and ${names.length - LISTED_MAX} more`;
}
