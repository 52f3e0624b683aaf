import { formatDateTime, formatNumber } from "#components/ui/format";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { ScenarioRows } from "#lib/contract/scenario-rows";

type Value = ScenarioRows["rows"][number]["input"][number];
type Type = ScenarioRows["columns"][number]["type"];

export const predictionText = (value: number | null) => formatNumber(value);

/** "131.6 – 179"; a dash where the model knows no interval. */
export function intervalText(lower: number | null, upper: number | null): string {
  return lower === null || upper === null ? "–" : `${formatNumber(lower)} – ${formatNumber(upper)}`;
}

/** A cell of the input as a person reads it: times in the reader's zone. */
export function inputText(value: Value, type: Type): string {
  if (value === null) return "–";
  if (type === "timestamp" && typeof value === "string") return formatDateTime(value);
  return typeof value === "number" ? formatNumber(value) : String(value);
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
