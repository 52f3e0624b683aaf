import { type MethodParameters, startFilter } from "./methods.ts";
import { type RemovedSeasons, startSeasons } from "./seasons.ts";
import type { SeriesForecast } from "./series-method.ts";

/** A fitted method. `start`: grid index of the observation that its state precedes. */
export type Member = { parameters: MethodParameters; start: number };

/** Methods whose median is the forecast. */
export type Combined = {
  methods: readonly Member[];
  /** Seasons that the methods do not see; absent if the methods model seasons themselves. */
  seasons?: RemovedSeasons | undefined;
  /** Forecast of steps that no member forecasts. */
  mean: number;
};

/** Observations by grid index, counted from `firstIndex`; NaN is a gap. */
export type Observations = { values: Float64Array; firstIndex: number };

export type Combination = {
  /** Processes the observations before a grid index. The indexes of successive calls ascend. */
  advance(observed: Observations, to: number): void;
  /** Returns the median of the members' forecasts, with the level of the middle members. */
  forecast(steps: number): SeriesForecast;
  /** Returns each member's mean weight in the median of the next steps: 1 for the middle member, ½ for each of two. */
  weights(steps: number): number[];
  /** Returns the members with their current states. A member that begins later is unchanged. */
  snapshot(): Member[];
};

/**
 * Starts a combination of methods before their first observations: the median of their forecasts (Petropoulos and
 * Svetunkov 2020). Gaps of any length advance the seasons. A member does not take part before its start, because its
 * state belongs to a later time. Removed seasons are taken out of each observation and restored in each forecast.
 */
export function startCombination({ methods, seasons, mean }: Combined): Combination {
  const repeated = seasons && startSeasons(seasons);
  const running = methods.map((member) => ({
    member,
    filter: startFilter(member.parameters),
    next: member.start,
  }));
  let now = Number.NEGATIVE_INFINITY;
  /** Returns the forecast of each member; null for members that begin later. */
  const forecasts = (steps: number) =>
    running.map(({ filter, next }) => (next <= now ? filter.forecast(steps) : null));
  return {
    advance({ values, firstIndex }, to) {
      for (const one of running) {
        for (; one.next < to; one.next++) {
          const value = values[one.next - firstIndex] ?? Number.NaN;
          one.filter.update(repeated ? repeated.remove(value, one.next) : value);
        }
      }
      now = to;
    },
    forecast(steps) {
      const own = forecasts(steps);
      const [values, level] = [new Float64Array(steps), new Float64Array(steps)];
      for (let step = 0; step < steps; step++) {
        const middle = middleOf(own, step);
        if (middle.length === 0) values[step] = level[step] = mean;
        for (const at of middle) {
          values[step]! += own[at]!.values[step]! / middle.length;
          level[step]! += own[at]!.level[step]! / middle.length;
        }
        if (repeated && middle.length > 0) values[step] = repeated.restore(values[step]!, now + step);
      }
      return { values, level };
    },
    weights(steps) {
      const own = forecasts(steps);
      const weights = own.map(() => 0);
      for (let step = 0; step < steps; step++) {
        const middle = middleOf(own, step);
        for (const at of middle) weights[at]! += 1 / middle.length / steps;
      }
      return weights;
    },
    snapshot: () =>
      running.map(({ member, filter, next }) =>
        next > member.start ? { parameters: filter.snapshot() as MethodParameters, start: next } : member,
      ),
  };
}

/** Returns the members with the middle of the finite forecasts of a step: one, two, or none without a forecast. */
function middleOf(forecasts: readonly (SeriesForecast | null)[], step: number): number[] {
  const value = (at: number) => forecasts[at]!.values[step]!;
  const order = [...forecasts.keys()]
    .filter((at) => forecasts[at] !== null && Number.isFinite(value(at)))
    .sort((a, b) => value(a) - value(b));
  const middle = order.length >> 1;
  return order.length % 2 === 1 ? [order[middle]!] : order.slice(Math.max(0, middle - 1), middle + 1);
}
