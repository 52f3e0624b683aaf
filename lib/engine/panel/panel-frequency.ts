import { BUSINESS_DAY } from "#lib/contract/duration-text";
import { detectFrequency } from "#lib/engine/features/frequency";
import { createGrid, gridOf } from "#lib/engine/features/grid";
import { type SeriesOptions, stepOfSeries } from "#lib/engine/features/resample";

/** Rows from which a series shows its own step. */
const ROWS_MIN = 10;
/** Share of the distances that must be one step. Rows of rare sales often are whole numbers of days apart, too. */
const REGULAR_MIN = 0.95;

export type PanelFrequency = {
  /** The step of all series; null without a regular step. */
  frequency: string | null;
  /** Places of the series whose step differs from that of most rows, with their steps. */
  others: { place: number; frequency: string }[];
  /** Places of the series that have the step, but at times between those of most rows: the odd weeks, or half hours. */
  shifted: number[];
};

/**
 * Finds the common step of a panel's series, and the series that differ from it. Totals need times that the series share.
 *
 * @param series ascending times of each series, epoch milliseconds
 * @param distinct all their times, ascending, each once
 */
export function findPanelFrequency(
  series: readonly Float64Array[],
  distinct: Float64Array,
  timezone: string,
  options: SeriesOptions,
): PanelFrequency {
  const all = stepOfSeries(distinct, timezone, options);
  if (options.resample !== null) return { frequency: all, others: [], shifted: [] };
  const own = stepsOf(series, timezone);
  const common = commonest(series, own);
  if (common === null) return { frequency: all, others: [], shifted: [] };
  const isAlike = (step: string) => step === common || (isDaily(step) && isDaily(common));
  const others = own.flatMap((frequency, place) =>
    frequency === null || isAlike(frequency) ? [] : [{ place, frequency }],
  );
  if (others.length > 0) return { frequency: common, others, shifted: [] };
  if (all !== null && isAlike(all)) return { frequency: all, others, shifted: [] };
  return { frequency: common, others, shifted: shiftedSeries(series, own, { frequency: common, timezone }) };
}

const isDaily = (step: string) => step === "P1D" || step === BUSINESS_DAY;

/** Returns the step of each series, null if it is short or irregular. Most series of a panel have the same times. */
function stepsOf(series: readonly Float64Array[], timezone: string): (string | null)[] {
  let before: { times: Float64Array; step: string | null } | null = null;
  return series.map((times) => {
    const isSame = before !== null && areEqual(before.times, times);
    const step = isSame ? before!.step : stepOf(times, timezone);
    before = { times, step };
    return step;
  });
}

function areEqual(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((time, at) => time === other[at]);
}

function stepOf(times: Float64Array, timezone: string): string | null {
  if (times.length < ROWS_MIN) return null;
  const frequency = detectFrequency(times, timezone);
  if (frequency === null) return null;
  const { indexOf } = createGrid(gridOf(times, { frequency, timezone }));
  let regular = 0;
  let before = indexOf(times[0]!);
  for (const time of times.subarray(1)) {
    const index = indexOf(time);
    if (index - before === 1) regular++;
    before = index;
  }
  return regular >= REGULAR_MIN * (times.length - 1) ? frequency : null;
}

/** Returns the step that most rows have. */
function commonest(series: readonly Float64Array[], own: readonly (string | null)[]): string | null {
  const rows = new Map<string, number>();
  for (const [place, step] of own.entries())
    if (step !== null) rows.set(step, (rows.get(step) ?? 0) + series[place]!.length);
  return [...rows].reduce<[string | null, number]>(
    (most, one) => (one[1] > most[1] ? one : most),
    [null, 0],
  )[0];
}

/** Returns the regular series whose times are not those of most series. */
function shiftedSeries(
  series: readonly Float64Array[],
  own: readonly (string | null)[],
  { frequency, timezone }: { frequency: string; timezone: string },
): number[] {
  const regular = own.flatMap((step, place) => (step === null ? [] : [place]));
  const longest = regular.reduce((most, place) =>
    series[place]!.length > series[most]!.length ? place : most,
  );
  const { indexOf, timeAt } = createGrid(gridOf(series[longest]!, { frequency, timezone }));
  const isOff = (place: number) => {
    const times = series[place]!;
    return (
      times.reduce((count, time) => count + (timeAt(indexOf(time)) === time ? 0 : 1), 0) * 2 > times.length
    );
  };
  const off = regular.filter(isOff);
  // The longest series may be the odd one.
  return off.length * 2 <= regular.length ? off : regular.filter((place) => !off.includes(place));
}
