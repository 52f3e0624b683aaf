import { calendarSteps } from "#lib/engine/features/calendar-steps";
import type { Observations } from "#lib/engine/series-methods/combination";
import { localReader, READERS } from "#lib/engine/time/calendar";
import type { GlobalTrees } from "./panel-learner.ts";
import { stepsBefore } from "./past-values.ts";

/** Choice of the features of trees, without the trees. */
export type FeaturePlan = Omit<GlobalTrees, "ensemble">;

/** Newest values that features hold one by one. */
const LAGS = 3;
/** Seasons back that a mean of the same place in the season spans. */
const SEASONS_BACK = 4;
/** Steps of the shortest window, and longest season that a window may follow. */
const WINDOW_MIN = 4;
const SHORT_SEASON_MAX = 24;
/** Smallest scale of the recent values, as a fraction of the scale of the series. */
const SCALE_MIN = 0.1;

/** Chooses the features of trees. */
export function planFeatures({
  season,
  seasons,
  horizon,
  times,
  categories,
  reach,
}: {
  season: number;
  seasons: readonly number[];
  horizon: number;
  times: Float64Array;
  categories: FeaturePlan["categories"];
  /** Steps of the past that are stored with the model. */
  reach: number;
}): FeaturePlan {
  // A year of weeks is no recent level.
  const short = season <= SHORT_SEASON_MAX ? Math.max(WINDOW_MIN, season) : WINDOW_MIN;
  const windows = [short, 4 * short, 13 * short].filter((window, at) => at === 0 || window <= reach);
  const fields = calendarSteps(times, "trees").flatMap((step) =>
    step.op === "calendar" ? [step.field] : [],
  );
  return {
    seasons: seasons.filter((steps) => steps + horizon <= reach),
    windows,
    fields,
    categories,
    reach,
  };
}

export const featureCount = ({ seasons, windows, fields, categories }: FeaturePlan) =>
  1 + LAGS + windows.length + 3 + 2 * seasons.length + fields.length + 2 + categories.length;

/** A series as features see it: its remainders, its scale, and its categories as codes. */
export type FeatureSeries = { observed: Observations; scale: number; codes: Float32Array };

/** Returns the codes of a series' categories: NaN for a value that the plan does not know. */
export function codesOf({ categories }: FeaturePlan, textIn: (column: string) => string): Float32Array {
  return Float32Array.from(categories, ({ column, values }) => {
    const code = values.indexOf(textIn(column));
    return code < 0 ? Number.NaN : code;
  });
}

/** Returns a reader of the calendar fields of an instant. */
export function calendarReader({ fields }: FeaturePlan, timezone: string) {
  return fields.map((field) => localReader(READERS[field], timezone));
}

/** State of a series at an origin: its recent level, its recent scale, and the features that all steps share. */
type OriginState = { level: number; scale: number; shared: Float32Array };

function stateAt(plan: FeaturePlan, { observed, scale }: FeatureSeries, origin: number): OriginState {
  const { windows } = plan;
  const past = stepsBefore(observed, origin, Math.min(plan.reach, windows.at(-1)!));
  const level = past.mean(windows[0]!);
  const recent = past.size(windows.at(-1)!);
  const unit = Math.max(SCALE_MIN * scale, recent);
  const relative = (value: number) => (value - level) / unit;
  const shared = [
    ...Array.from({ length: LAGS }, (_, at) => relative(past.at(at + 1))),
    ...windows.map((window) => relative(past.mean(window))),
    past.deviation(windows[1] ?? windows[0]!) / unit,
    past.zeros(windows.at(-1)!),
    (past.mean(windows[0]!) - past.mean(2 * windows[0]!)) / unit,
  ];
  return { level: Number.isNaN(level) ? 0 : level, scale: unit, shared: Float32Array.from(shared) };
}

/**
 * Returns a function that writes the features of the cells of a series into rows of columns, and returns each row's level and scale.
 *
 * @param calendar readers of the calendar fields
 */
export function featureWriter(
  plan: FeaturePlan,
  series: FeatureSeries,
  calendar: ReturnType<typeof calendarReader>,
) {
  let now = { origin: Number.NaN, state: null as OriginState | null };
  return (
    cell: { index: number; origin: number; instant: number },
    columns: readonly Float32Array[],
    row: number,
  ): { level: number; scale: number } => {
    if (now.origin !== cell.origin) now = { origin: cell.origin, state: stateAt(plan, series, cell.origin) };
    const { level, scale, shared } = now.state!;
    const { values, firstIndex } = series.observed;
    const valueAt = (index: number) =>
      index < cell.origin ? (values[index - firstIndex] ?? Number.NaN) : Number.NaN;
    let at = 0;
    const put = (value: number) => {
      columns[at++]![row] = value;
    };
    const step = cell.index - cell.origin + 1;
    put(step);
    for (const value of shared) put(value);
    for (const steps of plan.seasons) {
      const back = steps * Math.ceil(step / steps);
      put((valueAt(cell.index - back) - level) / scale);
      let [sum, count] = [0, 0];
      for (let i = 0; i < SEASONS_BACK; i++) {
        const value = valueAt(cell.index - back - i * steps);
        if (Number.isNaN(value)) continue;
        sum += value;
        count++;
      }
      put((sum / count - level) / scale);
    }
    for (const read of calendar) put(read(cell.instant));
    put(Math.log(scale));
    put(Math.log1p(Math.min(plan.reach, Math.max(0, cell.origin - firstIndex))));
    for (const code of series.codes) put(code);
    return { level, scale };
  };
}
