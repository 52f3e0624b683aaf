import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { sampledShapleyValues, shapleyValues } from "./shapley.ts";
import { type Difference, splitDifference } from "./split-difference.ts";

const PLENTY = 1e9;

/** A random game: a table holds the worth of every coalition at each point. */
function anyGame(players: number, points: number, seed: number): Difference {
  const random = seededRandom(seed);
  const worths = Array.from({ length: 2 ** players }, () =>
    Float64Array.from({ length: points }, () => random.next() * 200 - 100),
  );
  return {
    players,
    points,
    together: null,
    worth: async (coalition, asked) => Float64Array.from(asked, (point) => worths[setOf(coalition)]![point]!),
  };
}

const setOf = (coalition: Uint8Array) => coalition.reduce((set, is, player) => set | (is << player), 0);

const sizes = fc.record({
  players: fc.integer({ min: 1, max: 6 }),
  points: fc.integer({ min: 1, max: 40 }),
  seed: fc.integer(),
});
const games = sizes.map(({ players, points, seed }) => anyGame(players, points, seed));

/** Shapley's definition: the change by a player, averaged over all orders. */
async function bruteForce(game: Difference, point: number): Promise<number[]> {
  const orders = permutations(Array.from({ length: game.players }, (_, player) => player));
  const parts = new Array<number>(game.players).fill(0);
  for (const order of orders) {
    const coalition = new Uint8Array(game.players);
    let [before] = await game.worth(coalition, Int32Array.of(point));
    for (const player of order) {
      coalition[player] = 1;
      const [after] = await game.worth(coalition, Int32Array.of(point));
      parts[player]! += (after! - before!) / orders.length;
      before = after!;
    }
  }
  return parts;
}

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

async function wholeOf(game: Difference, points: Int32Array): Promise<Float64Array> {
  const none = await game.worth(new Uint8Array(game.players), points);
  const all = await game.worth(new Uint8Array(game.players).fill(1), points);
  return all.map((value, i) => value - none[i]!);
}

describe("parts of a difference", () => {
  test("match Shapley's definition", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.integer(), async (players, seed) => {
        const game = anyGame(players, 2, seed);
        const { parts } = await splitDifference(game, PLENTY);
        const expected = await bruteForce(game, 1);
        for (const [player, part] of expected.entries()) expect(parts[player]![1]).toBeCloseTo(part, 9);
      }),
      { numRuns: 20 },
    );
  });

  test("add up to the total at every split point, with all coalitions or sampled orders", async () => {
    await fc.assert(
      fc.asyncProperty(games, fc.integer({ min: 1, max: 4_000 }), async (game, evaluationsMax) => {
        const { points, parts } = await splitDifference(game, evaluationsMax);
        const whole = await wholeOf(game, points);
        whole.forEach((difference, i) => {
          const sum = parts.reduce((total, part) => total + part[i]!, 0);
          expect(Math.abs(sum - difference)).toBeLessThanOrEqual(1e-9);
        });
      }),
      { numRuns: 60 },
    );
  });

  test("change their sign if the two sides are swapped, also when sampled", async () => {
    await fc.assert(
      fc.asyncProperty(games, fc.integer({ min: 1, max: 4_000 }), async (game, evaluationsMax) => {
        const back: Difference = {
          ...game,
          worth: (coalition, points) =>
            game.worth(
              coalition.map((is) => 1 - is),
              points,
            ),
        };
        const there = await splitDifference(game, evaluationsMax);
        const andBack = await splitDifference(back, evaluationsMax);
        for (const [player, part] of there.parts.entries()) {
          for (const [i, value] of part.entries()) expect(andBack.parts[player]![i]).toBeCloseTo(-value, 9);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("are exactly 0 for a player without effect, and equal for two equivalent players", async () => {
    const random = seededRandom(3);
    const worths = Array.from({ length: 64 }, () => random.next());
    // Only the number of switched players among 0 and 1 matters; player 2 has no effect.
    const game: Difference = {
      players: 5,
      points: 1,
      together: null,
      worth: async (is) => Float64Array.of(worths[(is[0]! + is[1]!) * 4 + is[3]! * 2 + is[4]!]!),
    };
    for (const evaluationsMax of [PLENTY, 12]) {
      const { parts, method } = await splitDifference(game, evaluationsMax);
      expect(parts[2]![0]).toBe(0);
      if (method === "exact") expect(parts[0]![0]).toBeCloseTo(parts[1]![0]!, 12);
    }
  });

  test("equal each player's change if the changes are additive", async () => {
    const change = [3, -2, 0.5, 7, 1, -4, 2, 9, 1, 1, 6, -8];
    const game: Difference = {
      players: change.length,
      points: 50,
      together: null,
      worth: async (is, points) =>
        Float64Array.from(points, (point) =>
          is.reduce((sum, on, player) => sum + on * change[player]!, point),
        ),
    };
    const { method, parts } = await splitDifference(game, PLENTY);
    expect(method).toBe("sampled");
    for (const [player, own] of change.entries()) {
      for (const part of parts[player]!) expect(part).toBeCloseTo(own, 9);
    }
  });
});

test("sampled parts converge to the exact parts with more orders", async () => {
  const players = 6;
  const points = 4;
  const { worth } = anyGame(players, points, 11);
  const all = Int32Array.from({ length: points }, (_, i) => i);
  const game = { players, points, worth: (coalition: Uint8Array) => worth(coalition, all) };
  const exact = await shapleyValues(game);
  const error = async (pairs: number) => {
    const sampled = await sampledShapleyValues(game, { pairs, seed: 1 });
    return Math.max(...sampled.flatMap((part, i) => Array.from(part, (v, j) => Math.abs(v - exact[i]![j]!))));
  };
  expect(await error(2_000)).toBeLessThan(5);
  expect(await error(2_000)).toBeLessThan((await error(2)) / 3);
});

describe("the number of evaluations is bounded", () => {
  async function evaluations(game: Difference, evaluationsMax: number) {
    let count = 0;
    const split = await splitDifference(
      {
        ...game,
        worth: async (_, points) => {
          count += points.length;
          return new Float64Array(points.length);
        },
      },
      evaluationsMax,
    );
    return { count, split };
  }
  const wide = { players: 20, points: 100_000, together: null, worth: async () => new Float64Array() };

  test("for 100,000 points and 20 players: samples orders at every point, or at every nth point", async () => {
    const some = await evaluations(wide, 4_200_000);
    expect([some.split.method, some.split.points.length]).toEqual(["sampled", 100_000]);
    expect(some.count).toBeLessThanOrEqual(4_200_000);
    const few = await evaluations(wide, 1_000_000);
    expect(few.split.method).toBe("sampled");
    expect(few.split.points.length).toBeGreaterThan(20_000);
    expect(few.count).toBeLessThanOrEqual(1_000_000);
  });

  test("for points that must be evaluated together: returns no parts instead of some", async () => {
    const { count, split } = await evaluations({ ...wide, together: 100_000 }, 1_000_000);
    expect([split.method, split.parts.length, count]).toEqual(["none", 0, 0]);
  });
});
