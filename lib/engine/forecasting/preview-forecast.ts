import type { Column } from "#lib/contract/table";
import type { FeatureSeries } from "./forecaster.ts";

/** Values by time (epoch milliseconds); categories by name, null for missing values. */
export type PreviewPoints = { instants: number[]; values: (number | string | null)[] };

/** The end of a feature's history and its continuation, thinned for a chart. */
export type ForecastPreview = { known: PreviewPoints; generated: PreviewPoints };

const POINTS_MAX = 240;
/** Minimum number of history steps to show, if available. */
const KNOWN_STEPS_MIN = 48;

export function previewForecast(
  column: Column,
  { values, instants }: FeatureSeries,
  ahead: Float64Array,
): ForecastPreview {
  const length = values.length;
  const from = Math.max(0, length - Math.max(KNOWN_STEPS_MIN, ahead.length));
  const points = (source: Float64Array, first: number, offset: number): PreviewPoints => {
    const places = evenly(source.length - first).map((at) => first + at);
    return {
      instants: places.map((at) => instants[at + offset]!),
      values: places.map((at) => {
        const value = source[at]!;
        if (Number.isNaN(value)) return null;
        return column.type === "category" ? column.categories[value]! : value;
      }),
    };
  };
  return { known: points(values, from, 0), generated: points(ahead, 0, length) };
}

/** Returns at most `POINTS_MAX` evenly spaced integers below `count`, including the first and the last. */
function evenly(count: number): number[] {
  const shown = Math.min(count, POINTS_MAX);
  return Array.from({ length: shown }, (_, i) =>
    shown === 1 ? 0 : Math.round((i * (count - 1)) / (shown - 1)),
  );
}
