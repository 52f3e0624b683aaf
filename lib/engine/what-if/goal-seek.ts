import type { GoalSeekRequest } from "#lib/contract/goal-seek";
import type { Table } from "#lib/contract/table";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import { summarize } from "#lib/engine/series/summary";
import { measuredRows, type TriedRows } from "./tried-rows.ts";

/** A numeric adjustment whose operand may take the values `min`, `min + step`, …, up to `max`. */
export type Lever = GoalSeekRequest["levers"][number];

/** A condition on a statistic of the predictions, or of a bound of their prediction intervals, over the span. */
export type Condition = GoalSeekRequest["goal"];

/** Predictions of a table, with the bounds of their intervals if a condition needs them. */
type SoughtPredictions = { prediction: Float64Array; lower?: Float64Array; upper?: Float64Array };

type Seeking = {
  levers: readonly Lever[];
  goal: Condition;
  /** Conditions that a setting must meet. */
  constraints: readonly Condition[];
  /** Maximum number of settings to evaluate. */
  settingsMax: number;
  /** Returns whether the time is over. */
  isOver(): boolean;
};

export type Sought = {
  /** Value of each lever in the best setting. */
  values: number[];
  /** Statistic of the goal, and of each constraint, in the best setting; NaN if it is not defined. */
  goal: number;
  constraints: number[];
  /** Sum of the relative violations of the constraints; 0 if the setting meets them all. */
  violation: number;
  /** Distance between the goal and its statistic; 0 if the setting meets the goal. */
  miss: number;
  /** Whether every setting was evaluated, so that no setting is better. */
  isProven: boolean;
  evaluated: number;
  settings: number;
};

/** Returns the number of values of a lever. */
export function valuesOfLever({ min, max, step }: Lever): number {
  // A tolerance of rounding: 0.3 counts as three steps of 0.1.
  return Math.floor((max - min) / step + 1e-9) + 1;
}

/**
 * Seeks the setting of levers that meets the constraints and comes closest to the goal. Among equal settings, the one
 * with the smallest changes wins. Searches from coarse to fine steps. Then it evaluates all other settings if there are
 * few enough, which proves the result for a model of any kind.
 *
 * @param predict predicts a table with the columns and rows of `rows.table`
 */
export async function seekGoal(
  predict: (table: Table) => Promise<SoughtPredictions>,
  rows: TriedRows,
  seeking: Seeking,
): Promise<Sought> {
  const { levers, settingsMax, isOver } = seeking;
  const counts = levers.map(valuesOfLever);
  const settings = counts.reduce((product, count) => product * count, 1);
  const measured = measuredRows(rows);
  const known = new Map<string, Found>();
  const state: { best: Found | null; isCut: boolean } = { best: null, isCut: false };
  const evaluate = async (places: readonly number[]): Promise<void> => {
    const key = places.join();
    if (known.has(key)) return;
    if (known.size >= settingsMax || (known.size > 0 && isOver())) {
      state.isCut = true;
      return;
    }
    const evaluated = await evaluateSetting(predict, { ...rows, measured }, seeking, places);
    known.set(key, evaluated);
    if (state.best === null || isBetter(evaluated, state.best)) state.best = evaluated;
  };
  const isWhole = settings <= settingsMax;
  const near = () => state.best!.places;
  await searchCoarseToFine(counts, settingsMax, evaluate, near, () => state.isCut);
  if (isWhole) for (const places of placesOf(counts.map(range))) await evaluate(places);
  // The first setting is always evaluated.
  const { places, movement: _, ...best } = state.best!;
  const values = places.map((place, at) => valueAt(levers[at]!, place));
  return { ...best, values, isProven: isWhole && !state.isCut, evaluated: known.size, settings };
}

type Found = Pick<Sought, "goal" | "constraints" | "violation" | "miss"> & {
  places: readonly number[];
  /** Sum of the levers' relative distances from no change. */
  movement: number;
};

async function evaluateSetting(
  predict: (table: Table) => Promise<SoughtPredictions>,
  { table, timestamp, measured, ...span }: TriedRows & { measured: Int32Array },
  { levers, goal, constraints }: Seeking,
  places: readonly number[],
): Promise<Found> {
  const adjustments = levers.map(({ feature, operation }, at) => ({
    feature,
    operation,
    value: valueAt(levers[at]!, places[at]!),
    ...span,
  }));
  const adjusted = applyAdjustments(table, adjustments, timestamp);
  const predicted = adjusted.ok ? await predict(adjusted.table) : null;
  const statisticOf = ({ statistic, of = "prediction" }: Condition) => {
    const values = predicted?.[of];
    if (values === undefined) return Number.NaN;
    return summarize(Float64Array.from(measured, (row) => values[row]!))[statistic] ?? Number.NaN;
  };
  const reached = statisticOf(goal);
  const held = constraints.map(statisticOf);
  const violation = constraints.reduce(
    (sum, constraint, at) => sum + missOf(constraint, held[at]!) / Math.max(1e-9, Math.abs(constraint.value)),
    0,
  );
  const movement = levers.reduce((sum, lever, at) => sum + movementOf(lever, places[at]!), 0);
  return { places, goal: reached, constraints: held, violation, miss: missOf(goal, reached), movement };
}

/** Returns the distance between a statistic and its condition; infinite if the statistic is not defined. */
function missOf({ relation, value }: Condition, statistic: number): number {
  if (Number.isNaN(statistic)) return Number.POSITIVE_INFINITY;
  if (relation === "atMost") return Math.max(0, statistic - value);
  if (relation === "atLeast") return Math.max(0, value - statistic);
  return Math.abs(statistic - value);
}

function isBetter(a: Found, b: Found): boolean {
  if (a.violation !== b.violation) return a.violation < b.violation;
  if (a.miss !== b.miss) return a.miss < b.miss;
  return a.movement < b.movement;
}

/** Avoids sums, because they accumulate rounding errors such as 0.1 + 0.2. */
const valueAt = ({ min, step }: Lever, place: number) => Number((min + step * place).toPrecision(15));

function movementOf(lever: Lever, place: number): number {
  const { operation, min, max } = lever;
  if (operation === "set" || max === min) return 0;
  return Math.abs(valueAt(lever, place) - (operation === "multiply" ? 1 : 0)) / (max - min);
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Yields every combination of one place per lever. */
function* placesOf(choices: readonly (readonly number[])[]): Generator<number[]> {
  const [first, ...rest] = choices;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const place of first) for (const others of placesOf(rest)) yield [place, ...others];
}

/** Number of values of each lever in one round of the search. */
const ROUND_VALUES = 5;

/** Evaluates a coarse grid, then ever finer grids around the best setting, then its neighbours. */
async function searchCoarseToFine(
  counts: readonly number[],
  settingsMax: number,
  evaluate: (places: readonly number[]) => Promise<void>,
  best: () => readonly number[],
  isCut: () => boolean,
): Promise<void> {
  const most = Math.max(2, Math.min(ROUND_VALUES, Math.floor((settingsMax / 2) ** (1 / counts.length))));
  let spans = counts.map((count): [number, number] => [0, count - 1]);
  while (!isCut()) {
    const choices = spans.map(([from, to]) => [
      ...new Set(range(most).map((at) => Math.round(from + ((to - from) * at) / (most - 1)))),
    ]);
    for (const places of placesOf(choices)) await evaluate(places);
    const finer = spans.map(([from, to], lever): [number, number] => {
      const half = Math.max(1, Math.ceil((to - from) / 4));
      const center = best()[lever]!;
      return [Math.max(0, center - half), Math.min(counts[lever]! - 1, center + half)];
    });
    if (finer.every(([from, to], lever) => to - from >= spans[lever]![1] - spans[lever]![0])) break;
    spans = finer;
  }
  for (let before = ""; before !== best().join() && !isCut(); ) {
    before = best().join();
    const center = best();
    for (const [lever, count] of counts.entries()) {
      for (const step of [-1, 1]) {
        const place = center[lever]! + step;
        if (place >= 0 && place < count) await evaluate(center.with(lever, place));
      }
    }
  }
}
