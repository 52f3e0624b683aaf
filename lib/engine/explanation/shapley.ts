import { seededRandom } from "#lib/engine/learners/seeded-random";

/**
 * A game of a few players at many points at once: what the points are worth when the players of the coalition
 * (`coalition[player]` is 1) have switched over and the others have not.
 */
export type Game = {
  players: number;
  points: number;
  worth(coalition: Uint8Array): Promise<Float64Array>;
};

/** `parts[player][point]`; at each point they add up to the worth of all players less that of none. */
export type Parts = Float64Array[];

/**
 * The Shapley value of each player at each point (Shapley 1953): what it changes when it switches over, averaged over
 * every order in which the players can. All 2^players coalitions are asked for, once each. A player that changes
 * nothing gets exactly 0.
 */
export async function shapleyValues({ players, points, worth }: Game): Promise<Parts> {
  const worths: Float64Array[] = [];
  for (let set = 0; set < 2 ** players; set++) {
    worths.push(await worth(Uint8Array.from({ length: players }, (_, player) => (set >> player) & 1)));
  }
  const weights = orderShares(players);
  const parts = Array.from({ length: players }, () => new Float64Array(points));
  parts.forEach((part, player) => {
    const own = 1 << player;
    for (let set = 0; set < worths.length; set++) {
      if (set & own) continue;
      const weight = weights[bitCount(set)]!;
      const before = worths[set]!;
      const after = worths[set | own]!;
      for (let point = 0; point < points; point++) part[point]! += weight * (after[point]! - before[point]!);
    }
  });
  return parts;
}

/**
 * The same by sampling (Štrumbelj and Kononenko 2014): `pairs` random orders, each also backwards, which takes
 * 2 × pairs × (players - 1) + 2 evaluations. Parts add up as exactly. Who changes places with the baseline gets the
 * same parts with the other sign, because an order backwards is the way back.
 */
export async function sampledShapleyValues(
  { players, points, worth }: Game,
  { pairs, seed }: { pairs: number; seed: number },
): Promise<Parts> {
  const random = seededRandom(seed);
  const none = await worth(new Uint8Array(players));
  const all = await worth(new Uint8Array(players).fill(1));
  const parts = Array.from({ length: players }, () => new Float64Array(points));
  for (let pair = 0; pair < pairs; pair++) {
    const order = shuffled(players, random.below);
    for (const way of [order, order.toReversed()]) {
      const coalition = new Uint8Array(players);
      let before = none;
      for (const [place, player] of way.entries()) {
        coalition[player] = 1;
        const after = place === players - 1 ? all : await worth(coalition.slice());
        const part = parts[player]!;
        for (let point = 0; point < points; point++) {
          part[point]! += (after[point]! - before[point]!) / (2 * pairs);
        }
        before = after;
      }
    }
  }
  return parts;
}

/** By the number of players who came before: the share of all orders in which a player comes right after these. */
function orderShares(players: number): number[] {
  // |S|! (n - |S| - 1)! / n! = 1 / (n × binomial(n - 1, |S|))
  const shares: number[] = [];
  let binomial = 1;
  for (let before = 0; before < players; before++) {
    shares.push(1 / (players * binomial));
    binomial = (binomial * (players - 1 - before)) / (before + 1);
  }
  return shares;
}

function bitCount(set: number): number {
  let count = 0;
  for (let rest = set; rest > 0; rest &= rest - 1) count++;
  return count;
}

function shuffled(count: number, below: (limit: number) => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = below(i + 1);
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order;
}
