import { type Parts, sampledShapleyValues, shapleyValues } from "./shapley.ts";

/** A difference that several players make together, at points that can be evaluated a few at a time or only at once. */
export type Difference = {
  players: number;
  points: number;
  /** Where a point's worth depends on others, so that all are evaluated together: how many are; else null. */
  together: number | null;
  /** What these points (counted from 0) are worth once the players of the coalition have switched over. */
  worth(coalition: Uint8Array, points: Int32Array): Promise<Float64Array>;
};

export type Split = {
  /**
   * `exact`: by every coalition; `sampled`: by some of the orders; `none`: it would take too long, and there are no
   * parts.
   */
  method: "exact" | "sampled" | "none";
  /** The points that were split, ascending; all of them, unless they are too many. */
  points: Int32Array;
  /** `parts[player][i]` belongs to `points[i]`. */
  parts: Parts;
};

/** Points whose worths are in memory at the same time. */
const GROUP_POINTS = 8_192;
/** Each group has orders of its own: what sampling misses at a point evens out in the total. */
const SAMPLED_GROUPS = 16;
const SAMPLED_GROUP_POINTS = 512;
/** More coalitions than this are never asked for: orders do as well. */
const EXACT_PLAYERS_MAX = 10;
const PAIRS_MAX = 4;
/** Fewer split points than this are no picture of all. */
const POINTS_MIN = 500;

/** How a difference is split: at which points, and by how many pairs of random orders (null: by every coalition). */
export type SplitPlan = Pick<Split, "method" | "points"> & { pairs: number | null };

/** What `splitDifference` will do, so that only the points that it asks for need be there. */
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
 * Splits a difference into the parts of its players by Shapley values: by every coalition where that takes no more
 * evaluations (of one point) than `evaluationsMax`, else by random orders; where not even two orders fit, at every so
 * many points. The same difference is always split in the same way.
 */
export async function splitDifference(difference: Difference, evaluationsMax: number): Promise<Split> {
  const { method, points, pairs } = planSplit(difference, evaluationsMax);
  return { method, points, parts: method === "none" ? [] : await inGroups(difference, points, pairs) };
}

/** @param pairs of random orders; without it every coalition */
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
    // Every so many points belong to a group, so that each has some of every stretch.
    const places = Int32Array.from(points.keys()).filter((place) => place % groups === group);
    if (places.length === 0) continue;
    const own = Int32Array.from(places, (place) => points[place]!);
    const game = { players, points: own.length, worth: (coalition: Uint8Array) => worth(coalition, own) };
    const found =
      pairs === null ? await shapleyValues(game) : await sampledShapleyValues(game, { pairs, seed: group });
    found.forEach((part, player) => {
      places.forEach((place, i) => {
        parts[player]![place] = part[i]!;
      });
    });
  }
  return parts;
}
