import { describe, expect, test } from "vitest";
import type { Family } from "#lib/engine/inference/learner";
import { chooseFamily, chooseSet } from "./choose-candidate.ts";
import { INPUTS_ONLY, PAST_AND_INPUTS, PAST_ONLY } from "./feature-sets.ts";

const candidate = (family: Family, set: typeof PAST_ONLY, error: number) => ({
  family,
  set,
  hyperparameters: {},
  scores: [error],
  learned: [1],
});

const withInputs = true;
const withoutInputs = false;

describe("a candidate that ignores the inputs", () => {
  const regression = candidate("ridge", INPUTS_ONLY, 100);
  test.each([
    [95, "ridge"],
    [89, "combination"],
  ])("is kept only if it wins by a tenth: error %d of 100", (error, kept) => {
    const methods = candidate("combination", PAST_ONLY, error);
    expect(chooseFamily([methods, regression], undefined, withInputs).family).toBe(kept);
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
    expect(chooseFamily([methods, regression], undefined, withoutInputs)).toBe(methods);
  });
});

test("a regression replaces the combination on the same inputs if it wins by a quarter", () => {
  const methods = candidate("combination", PAST_AND_INPUTS, 100);
  expect(chooseFamily([methods, candidate("ridge", INPUTS_ONLY, 76)], undefined, withInputs)).toBe(methods);
  expect(chooseFamily([methods, candidate("ridge", INPUTS_ONLY, 74)], undefined, withInputs).family).toBe(
    "ridge",
  );
});

test("TSB replaces the combination by a small margin", () => {
  const [methods, tsb] = [candidate("combination", PAST_ONLY, 100), candidate("tsb", PAST_ONLY, 97)];
  expect(chooseFamily([tsb, methods], undefined, withoutInputs)).toBe(tsb);
  expect(chooseFamily([{ ...tsb, scores: [99] }, methods], undefined, withoutInputs)).toBe(methods);
});

describe("a candidate that ignores the inputs and wins in the mean", () => {
  const using = { ...candidate("combination", PAST_AND_INPUTS, 0), learned: [1, 1, 1] };
  const ignoring = { ...candidate("combination", PAST_ONLY, 0), learned: [1, 1, 1] };
  const naive = { ...candidate("seasonal_naive", INPUTS_ONLY, 0), learned: [1, 1, 1] };

  test("is not kept if it wins in one fold of three", () => {
    const [mixed, others] = [
      { ...using, scores: [250, 120, 90] },
      { ...ignoring, scores: [150, 135, 90] },
    ];
    expect(chooseSet("combination", [mixed, others])).toBe(mixed);
    expect(chooseFamily([mixed, { ...naive, scores: others.scores }], undefined, withInputs)).toBe(mixed);
  });

  test("is kept if it wins by as much in all folds", () => {
    const others = { ...ignoring, scores: [125, 125, 125] };
    expect(chooseSet("combination", [{ ...using, scores: [150, 150, 160] }, others])).toBe(others);
  });
});

test("a family that loses to the naive forecast is out; one that uses the inputs, if it loses clearly", () => {
  const naive = candidate("seasonal_naive", INPUTS_ONLY, 100);
  const [close, far] = [candidate("ridge", INPUTS_ONLY, 101), candidate("ridge", INPUTS_ONLY, 120)];
  expect(chooseFamily([naive, close], naive, withInputs)).toBe(close);
  expect(chooseFamily([naive, far], naive, withInputs)).toBe(naive);
  expect(chooseFamily([naive, close], naive, withoutInputs)).toBe(naive);
});

test("a candidate that failed in a fold loses to any other, even if it uses the inputs", () => {
  const scores = [Number.POSITIVE_INFINITY, 100, 100];
  const failed = { ...candidate("ridge", INPUTS_ONLY, 0), scores, learned: [1, 1, 1] };
  const ignoring = { ...failed, family: "combination" as const, set: PAST_ONLY, scores: [100, 100, 100] };
  const naive = { ...ignoring, family: "seasonal_naive" as const };
  expect(chooseFamily([ignoring, failed], undefined, withInputs)).toBe(ignoring);
  expect(chooseFamily([naive, failed], naive, withInputs)).toBe(naive);
});
