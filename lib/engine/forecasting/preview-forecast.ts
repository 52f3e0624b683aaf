import type { Column } from "#lib/contract/table";
import type { FeatureSeries } from "./forecaster.ts";

/** Values by time (epoch milliseconds); categories by name, null where there is none. */
export type Points = { instants: number[]; values: (number | string | null)[] };

/** How the end of a feature's history and its continuation look, thinned out for a picture. */
export type ForecastPreview = { known: Points; generated: Points };

const POINTS_MAX = 240;
/** Steps of the history that are shown at least, where there are so many. */
const KNOWN_STEPS_MIN = 48;

export function previewForecast(
  column: Column,
  { values, instants }: FeatureSeries,
  ahead: Float64Array,
): ForecastPreview {
  const length = values.length;
  const from = Math.max(0, length - Math.max(KNOWN_STEPS_MIN, ahead.length));
  const points = (source: Float64Array, first: number, offset: number): Points => {
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

/** At most so many of the numbers below `count`, the first and the last among them. */
function evenly(count: number): number[] {
  const shown = Math.min(count, POINTS_MAX);
  return Array.from({ length: shown }, (_, i) =>
    shown === 1 ? 0 : Math.round((i * (count - 1)) / (shown - 1)),
  );
}
