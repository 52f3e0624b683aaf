import { type Parts, sampledShapleyValues, shapleyValues } from "./shapley.ts";

/** A difference caused jointly by several players, at points that can be evaluated in groups or only all together. */
export type Difference = {
  players: number;
  points: number;
  /** Number of points to evaluate together if a point's worth depends on other points; otherwise null. */
  together: number | null;
  /** Returns the worth of these points (indices from 0) when the players of the coalition have switched. */
  worth(coalition: Uint8Array, points: Int32Array): Promise<Float64Array>;
};

export type Split = {
  /** `exact`: all coalitions. `sampled`: sampled orders. `none`: too expensive, without parts. */
  method: "exact" | "sampled" | "none";
  /** The split points, ascending: all points, or a subset if there are too many. */
  points: Int32Array;
  /** `parts[player][i]` belongs to `points[i]`. */
  parts: Parts;
};

/** Maximum number of points whose worths are in memory at the same time. */
const GROUP_POINTS = 8_192;
/** Each group samples its own orders, so that sampling errors of single points average out in the total. */
const SAMPLED_GROUPS = 16;
const SAMPLED_GROUP_POINTS = 512;
/** Maximum number of players for all coalitions; with more players, orders are as good. */
const EXACT_PLAYERS_MAX = 10;
const PAIRS_MAX = 4;
/** Minimum number of split points for a representative result. */
const POINTS_MIN = 500;

/** Plan of a split: the points, and the number of pairs of random orders (null: all coalitions). */
type SplitPlan = Pick<Split, "method" | "points"> & { pairs: number | null };

/** Returns the plan of `splitDifference`, so that only the required points must be available. */
export function planSplit(
  { players, points: count, together }: Omit<Difference, "worth">,
  evaluationsMax: number,
): SplitPlan {
  const atOnce = together ?? count;
  const all = Int32Array.from({ length: count }, (_, point) => point);
  const every: SplitPlan = { method: "exact", points: all, pairs: null };
  if (players <= 1 || count === 0) return every;
  if (players <= EXACT_PLAYERS_MAX && 2 ** players * atOnce <= evaluationsMax) return every;
  const onePair = 2 * (players - 1) + 2;
  const affordable = Math.floor(evaluationsMax / onePair);
  if (together !== null && affordable < atOnce)
    return { method: "none", points: new Int32Array(), pairs: null };
  const stride = together === null ? Math.ceil(count / Math.max(affordable, POINTS_MIN)) : 1;
  const points = stride <= 1 ? all : all.filter((point) => point % stride === 0);
  const evaluated = together ?? points.length;
  const pairs = Math.floor((evaluationsMax / evaluated - 2) / (2 * (players - 1)));
  return { method: "sampled", points, pairs: Math.min(PAIRS_MAX, Math.max(1, pairs)) };
}

/**
 * Splits a difference into the parts of its players by Shapley values. It uses all coalitions if they need at most
 * `evaluationsMax` evaluations (of one point each), otherwise random orders. If not even two orders are affordable,
 * it splits at every nth point. The result is deterministic.
 */
export async function splitDifference(difference: Difference, evaluationsMax: number): Promise<Split> {
  const { method, points, pairs } = planSplit(difference, evaluationsMax);
  return { method, points, parts: method === "none" ? [] : await inGroups(difference, points, pairs) };
}

/** Splits the points in groups. @param pairs pairs of random orders; null for all coalitions */
async function inGroups(
  { players, together, worth }: Difference,
  points: Int32Array,
  pairs: number | null,
): Promise<Parts> {
  const parts = Array.from({ length: players }, () => new Float64Array(points.length));
  const least =
    pairs === null ? 1 : Math.min(SAMPLED_GROUPS, Math.ceil(points.length / SAMPLED_GROUP_POINTS));
  const groups = together !== null ? 1 : Math.max(least, Math.ceil(points.length / GROUP_POINTS));
  for (let group = 0; group < groups; group++) {
    // A group takes every nth point, so that it covers all parts of the series.
    const places = Int32Array.from(points.keys()).filter((place) => place % groups === group);
    if (places.length === 0) continue;
    const own = Int32Array.from(places, (place) => points[place]!);
    const game = { players, points: own.length, worth: (coalition: Uint8Array) => worth(coalition, own) };
    const shares =
      pairs === null ? await shapleyValues(game) : await sampledShapleyValues(game, { pairs, seed: group });
    shares.forEach((part, player) => {
      places.forEach((place, i) => {
        parts[player]![place] = part[i]!;
      });
    });
  }
  return parts;
}
