import { type ChartLines, visible } from "./lines.ts";
import type { ChartSeries } from "./prepare-comparison.ts";
import { type Scale, toX, toY } from "./scale.ts";

/** Name of a line beside its last shown point. The text ends at `x`. */
export type LineEnd = { id: string; text: string; color: string; x: number; y: number };

/** More names than this would cover the lines. The legend has all of them. */
const NAMES_MAX = 6;
const TEXT_MAX = 28;
/** Distance of two names, in pixels. */
export const NAME_HEIGHT = 14;
/** Distance of a name from its line, in pixels. */
const ABOVE = 7;

/**
 * Returns the names of lines at their ends, to distinguish lines of one colour. Names keep a distance from
 * each other, and stay inside the frame. None for a single line.
 */
export function lineEnds(
  { xs, lines }: ChartLines,
  series: readonly Pick<ChartSeries, "id" | "title">[],
  scale: Scale,
): LineEnd[] {
  if (lines.length < 2 || lines.length > NAMES_MAX) return [];
  const { start } = visible(xs, scale.x);
  const titles = new Map(series.map(({ id, title }) => [id, title]));
  const ends = lines.flatMap(({ id, color, ys }): LineEnd[] => {
    let at = visible(xs, scale.x).end - 1;
    while (at >= start && (xs[at]! > scale.x[1] || Number.isNaN(ys[at]))) at--;
    if (at < start || xs[at]! < scale.x[0]) return [];
    const text = shortName(titles.get(id) ?? "", [...titles.values()]);
    return [{ id, text, color, x: toX(scale, xs[at]!), y: toY(scale, ys[at]!) - ABOVE }];
  });
  const top = scale.top + NAME_HEIGHT;
  const placed = ends.toSorted((one, other) => one.y - other.y);
  let free = top;
  for (const end of placed) {
    end.y = Math.max(end.y, free);
    free = end.y + NAME_HEIGHT;
  }
  let last = scale.bottom - 2;
  for (const end of placed.toReversed()) {
    end.y = Math.min(end.y, last);
    last = end.y - NAME_HEIGHT;
  }
  return placed;
}

/** Shortens a title to what differs from a title that it begins with: of "Base" and "Base, price +10 %", "price +10 %". */
export function shortName(title: string, titles: readonly string[]): string {
  const start = titles
    .filter((other) => title.startsWith(`${other}, `))
    .reduce((longest, other) => (other.length > longest.length ? other : longest), "");
  const rest = start === "" ? title : title.slice(start.length + 2);
  const characters = [...rest];
  return characters.length <= TEXT_MAX ? rest : `${characters.slice(0, TEXT_MAX - 1).join("")}…`;
}
