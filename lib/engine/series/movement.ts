/** A forecast of a run. Times are epoch milliseconds, in any order. */
export type RunForecast = { timestamps: Float64Array; prediction: Float64Array };

/** How far a forecast moved: sums over the times that both runs predict and the newer one did not know. */
export type Movement = {
  /** Number of these times. */
  rows: number;
  /** Sum of the absolute changes. */
  change: number;
  /** Sum of the absolute predictions of the former run. */
  level: number;
};

/**
 * Compares the forecasts of the same times by a run and the next one.
 *
 * For example, a run predicts 100 and 200 for 1 and 2 March, the next one 110 and 190. Both values move by 10, so the forecast moved by
 * 20 ÷ 300 = 6.7 %. The mean of 10 % and 5 % would give small values the weight of large ones, and would not exist beside 0.
 *
 * @param knownUntil last time that the newer run knew; null if it knew none
 */
export function movement(former: RunForecast, newer: RunForecast, knownUntil: number | null): Movement {
  const before = new Map<number, number>();
  for (const [row, time] of former.timestamps.entries()) before.set(time, former.prediction[row]!);
  const moved: Movement = { rows: 0, change: 0, level: 0 };
  newer.timestamps.forEach((time, row) => {
    const [from = Number.NaN, to] = [before.get(time), newer.prediction[row]!];
    if (Number.isNaN(from) || Number.isNaN(to) || (knownUntil !== null && time <= knownUntil)) return;
    moved.rows++;
    moved.change += Math.abs(to - from);
    moved.level += Math.abs(from);
  });
  return moved;
}

/** Adds up movements, so that each time counts as much as any other. */
export const addMovements = (all: readonly Movement[]): Movement =>
  all.reduce(
    (sum, one) => ({
      rows: sum.rows + one.rows,
      change: sum.change + one.change,
      level: sum.level + one.level,
    }),
    { rows: 0, change: 0, level: 0 },
  );

/** Returns the change relative to the former predictions. Null without common times, or if all former predictions are 0. */
export const relativeChange = ({ change, level }: Movement): number | null =>
  level > 0 ? change / level : null;
