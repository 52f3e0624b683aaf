import { describe, expect, test } from "vitest";
import type { Family } from "#lib/engine/inference/learner";
import { chooseFamily, chooseSet } from "./choose-candidate.ts";
import { INPUTS_ONLY, PAST_AND_INPUTS, PAST_ONLY } from "./feature-sets.ts";

const candidate = (family: Family, set: typeof PAST_ONLY, error: number) => ({
  ...{ family, set, hyperparameters: {}, scores: [error], learned: [1] },
});

describe("a candidate that ignores the inputs", () => {
  const regression = candidate("ridge", INPUTS_ONLY, 100);
  test.each([
    [95, "ridge"],
    [89, "combination"],
  ])("is kept only if it wins by a tenth: error %d of 100", (error, kept) => {
    const methods = candidate("combination", PAST_ONLY, error);
    expect(chooseFamily([methods, regression], undefined, true).family).toBe(kept);
  });

  test("needs the same margin inside of the combination", () => {
    const [using, ignoring] = [
      candidate("combination", PAST_AND_INPUTS, 100),
      candidate("combination", PAST_ONLY, 95),
    ];
    expect(chooseSet("combination", [using, ignoring])).toBe(using);
    expect(chooseSet("combination", [using, { ...ignoring, scores: [89] }])).toMatchObject({
      set: PAST_ONLY,
    });
  });

  test("has no rival without inputs: the combination stays", () => {
    const methods = candidate("combination", PAST_ONLY, 120);
    expect(chooseFamily([methods, regression], undefined, false)).toBe(methods);
  });
});

test("a regression replaces the combination on the same inputs by a small margin", () => {
  const methods = candidate("combination", PAST_AND_INPUTS, 100);
  expect(chooseFamily([methods, candidate("ridge", INPUTS_ONLY, 97)], undefined, true)).toBe(methods);
  expect(chooseFamily([methods, candidate("ridge", INPUTS_ONLY, 94)], undefined, true).family).toBe("ridge");
});

test("TSB replaces the combination by a small margin", () => {
  const [methods, tsb] = [candidate("combination", PAST_ONLY, 100), candidate("tsb", PAST_ONLY, 97)];
  expect(chooseFamily([tsb, methods], undefined, false)).toBe(tsb);
  expect(chooseFamily([{ ...tsb, scores: [99] }, methods], undefined, false)).toBe(methods);
});

test("a family that loses to the naive forecast is out", () => {
  const naive = candidate("seasonal_naive", INPUTS_ONLY, 100);
  const ridge = candidate("ridge", INPUTS_ONLY, 101);
  expect(chooseFamily([naive, ridge], naive, true)).toBe(naive);
});
