import type { Shown } from "#components/display/shown.ts";
import { periodOf, type SeriesCalendar, seriesTimes } from "#components/time/period.ts";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { ScenarioRows } from "#lib/contract/scenario-rows";

type Value = ScenarioRows["rows"][number]["input"][number];
type Type = ScenarioRows["columns"][number]["type"];

/** Formats an input column: cells with equal decimals, midnights as days, and a note next to the name. */
export function columnText(
  values: readonly Value[],
  { type, computed = false }: { type: Type; computed?: boolean },
  shown: Shown,
  calendar: SeriesCalendar,
): { texts: string[]; note: string | null } {
  const number = shown.formatOf(values.map((value) => (typeof value === "number" ? value : null)));
  const isTime = (value: Value): value is string => type === "timestamp" && typeof value === "string";
  const times = values.filter(isTime);
  const instants = times.map((time) => Date.parse(time)).sort((a, b) => a - b);
  const isInUtc = times.length > 0 && periodOf(instants, calendar) === null;
  const timeTexts = seriesTimes(times, calendar, "").values();
  const texts = values.map((value) => {
    if (value === null) return "–";
    if (isTime(value)) return timeTexts.next().value ?? "–";
    return typeof value === "number" ? number(value) : String(value);
  });
  return { texts, note: computed ? "upstream" : isInUtc ? "UTC" : null };
}

/**
 * Returns whether a value is outside the known range: beyond the range of the training rows, or an unknown category.
 */
export function isOutside(
  value: Value,
  { range, unseen }: Pick<Extrapolation["features"][number], "range" | "unseen">,
): boolean {
  if (typeof value === "number")
    return range !== null && (value < range.trainedMin || value > range.trainedMax);
  return typeof value === "string" && (unseen?.includes(value) ?? false);
}

/** Returns the first and last time of rows in any order; null without times. */
export function stretchOf(
  rows: readonly { timestamp: string | null }[],
): { from: string; to: string } | null {
  const times = rows.flatMap(({ timestamp }) => timestamp ?? []).sort();
  return times.length === 0 ? null : { from: times[0]!, to: times.at(-1)! };
}

/** Maps times to actuals. */
export function actualsByTime(
  points: Pick<ScenarioActuals, "timestamps" | "actual"> | undefined,
): ReadonlyMap<string, number | null> {
  return new Map(points?.timestamps.map((time, index) => [time, points.actual[index] ?? null]));
}

/** Returns predicted minus actual; null if either is unknown. */
export function errorOf(prediction: number | null, actual: number | null): number | null {
  return prediction === null || actual === null ? null : prediction - actual;
}
