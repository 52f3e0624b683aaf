import { areDays, formatColumn, formatNumber, formatSeriesTimes } from "#components/ui/format.ts";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { ScenarioRows } from "#lib/contract/scenario-rows";

type Value = ScenarioRows["rows"][number]["input"][number];
type Type = ScenarioRows["columns"][number]["type"];

/** "131.6 – 179.0"; a dash where the model knows no interval. */
export function intervalText(lower: number | null, upper: number | null, format = formatNumber): string {
  return lower === null || upper === null ? "–" : `${format(lower)} – ${format(upper)}`;
}

/**
 * A column of the input as a person reads it: its cells, numbers with the same decimals, times as days where they are; and
 * what is noted beside its name.
 */
export function columnText(
  values: readonly Value[],
  { type, computed = false }: { type: Type; computed?: boolean },
): { texts: string[]; note: string | null } {
  const number = formatColumn(values.map((value) => (typeof value === "number" ? value : null)));
  const isTime = (value: Value): value is string => type === "timestamp" && typeof value === "string";
  const times = values.filter(isTime);
  const timeTexts = formatSeriesTimes(times, "").values();
  const texts = values.map((value) => {
    if (value === null) return "–";
    if (isTime(value)) return timeTexts.next().value ?? "–";
    return typeof value === "number" ? number(value) : String(value);
  });
  return { texts, note: computed ? "upstream" : areDays(times) ? null : "UTC" };
}

/** Whether the model was trained on nothing like it: beyond the range of its training rows, or a category they did not have. */
export function isOutside(
  value: Value,
  { range, unseen }: Pick<Extrapolation["features"][number], "range" | "unseen">,
): boolean {
  if (typeof value === "number")
    return range !== null && (value < range.trainedMin || value > range.trainedMax);
  return typeof value === "string" && (unseen?.includes(value) ?? false);
}

/** First and last time of rows in any order; null where none has a time. */
export function stretchOf(
  rows: readonly { timestamp: string | null }[],
): { from: string; to: string } | null {
  const times = rows.flatMap(({ timestamp }) => timestamp ?? []).sort();
  return times.length === 0 ? null : { from: times[0]!, to: times.at(-1)! };
}

/** What came true, by its time. */
export function actualsByTime(
  points: Pick<ScenarioActuals, "timestamps" | "actual"> | undefined,
): ReadonlyMap<string, number | null> {
  return new Map(points?.timestamps.map((time, index) => [time, points.actual[index] ?? null]));
}

/** Predicted less actual, as everywhere; null where one of them is not known. */
export function errorOf(prediction: number | null, actual: number | null): number | null {
  return prediction === null || actual === null ? null : prediction - actual;
}
