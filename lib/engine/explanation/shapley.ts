import { seededRandom } from "#lib/engine/learners/seeded-random";

/**
 * A cooperative game of a few players, evaluated at many points at once. `worth` returns the value at each point when
 * the players of the coalition (`coalition[player]` is 1) have switched and the others have not.
 */
type Game = {
  players: number;
  points: number;
  worth(coalition: Uint8Array): Promise<Float64Array>;
};

/**
 * `parts[player][point]`. At each point, the parts add up to the worth of all players minus the worth of no players.
 */
export type Parts = Float64Array[];

/**
 * Computes the Shapley value of each player at each point (Shapley 1953): the change caused by the player's switch,
 * averaged over all orders of the players. Evaluates all 2^players coalitions once. A player that changes nothing
 * gets exactly 0.
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
 * Approximates Shapley values by sampling (Štrumbelj and Kononenko 2014): `pairs` random orders and their reverses,
 * with 2 × pairs × (players - 1) + 2 evaluations. The parts add up exactly too. Swapping the game with its baseline
 * gives the same parts with the opposite sign, because each order also runs in reverse.
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
    const order = random.shuffle(Int32Array.from({ length: players }, (_, player) => player));
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

/**
 * Returns, by the number of preceding players, the share of all orders in which a player comes right after a given
 * set.
 */
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
