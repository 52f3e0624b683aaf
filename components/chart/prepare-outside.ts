import { counted } from "#lib/contract/counted";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { PreparedComparison } from "./prepare-comparison.ts";
import type { Span } from "./scale.ts";

/** A stretch of the axis in which a scenario is outside of what its model was trained on. */
export type OutsideMark = {
  id: string;
  title: string;
  color: string;
  from: number;
  to: number;
  features: string[];
};

/**
 * The stretches as the chart shades them: cut to what is shown, and each at least as wide as a point, so that a single
 * row can be seen.
 */
export function prepareOutside(
  { spans }: Extrapolation,
  { kind, domain, points }: PreparedComparison,
  scenario: { id: string; title: string; color: string },
): OutsideMark[] {
  const [first, last] = domain;
  const margin = points.length > 1 ? (last - first) / (points.length - 1) / 2 : 0;
  return spans.flatMap(({ from, to, firstRow, lastRow, features }): OutsideMark[] => {
    // Where the axis has rows, those of an input with times stand in its order of time all the same.
    const ends = kind === "time" ? [from, to].map((at) => Date.parse(at ?? "")) : [firstRow, lastRow];
    const low = Math.max(Math.min(...ends) - margin, first);
    const high = Math.min(Math.max(...ends) + margin, last);
    if (!(low < high)) return [];
    return [{ ...scenario, from: low, to: high, features }];
  });
}

const unshaded: readonly Span[] = [];

/**
 * What is shaded of the axis: each stretch once, however many scenarios are outside in it. Nothing is always the same
 * nothing: an answer that shades nothing has nothing drawn anew.
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

/** "Dearer: outside of training in price, temp" for each scenario that is outside at this place. */
export function outsideAt(
  marks: readonly OutsideMark[],
  x: number,
): { id: string; title: string; text: string }[] {
  const here = marks.filter(({ from, to }) => x >= from && x <= to);
  return [...Map.groupBy(here, ({ id }) => id).values()].map((same) => {
    const features = [...new Set(same.flatMap(({ features }) => features))];
    return { id: same[0]!.id, title: same[0]!.title, text: `outside of training in ${listed(features)}` };
  });
}

/** What is shaded, in words: for those who cannot see it. */
export function describeOutside(
  found: readonly { title: string; extrapolation: Extrapolation }[],
): string | null {
  const parts = found
    .filter(({ extrapolation }) => extrapolation.features.length > 0)
    .map(({ title, extrapolation: { features, rowCount } }) => {
      const named = features.map(
        ({ feature, rows }) => `${feature} (${rows.toLocaleString("en")} of ${counted(rowCount, "row")})`,
      );
      return `${title} in ${listed(named)}`;
    });
  return parts.length === 0
    ? null
    : `Shaded where inputs are outside of what the model was trained on: ${listed(parts, "; ")}.`;
}

export const LISTED_MAX = 4;

function listed(names: readonly string[], between = ", "): string {
  if (names.length <= LISTED_MAX) return names.join(between);
  return `${names.slice(0, LISTED_MAX).join(between)} and ${names.length - LISTED_MAX} more`;
}
