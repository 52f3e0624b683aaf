import { describe, expect, it } from "vitest";
import type { InputFeature } from "#lib/contract/models";
import { byEffect, choicesOf } from "./choices.ts";

const feature = (overrides: Partial<InputFeature>): InputFeature => ({
  name: "x",
  type: "number",
  role: "input",
  required: true,
  sourceProjectId: null,
  min: 0,
  max: 10,
  mean: 5,
  median: 4,
  missing: 0,
  categories: null,
  ...overrides,
});

describe("choices of an input", () => {
  it("are the values of booleans, categories and codes", () => {
    expect(choicesOf(feature({ type: "boolean" }))).toEqual([true, false]);
    expect(choicesOf(feature({ type: "category", categories: ["sun", "rain"] }))).toEqual(["sun", "rain"]);
    expect(choicesOf(feature({ codes: [1, 2, 3, 4] }))).toEqual([1, 2, 3, 4]);
  });

  it("are the values of a part of the date, in its coding", () => {
    const timezone = "UTC";
    expect(choicesOf(feature({ dateRule: { part: "weekday", timezone, offset: -1 } }))).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6],
    ]);
    const values = [
      { from: 1, value: 4 },
      { from: 3, value: 1 },
      { from: 6, value: null },
      { from: 12, value: 4 },
    ];
    expect(choicesOf(feature({ dateRule: { part: "month", timezone, values } }))).toEqual([1, 4]);
  });

  it("are none of other numbers", () => {
    expect(choicesOf(feature({}))).toBeNull();
    expect(choicesOf(feature({ dateRule: { part: "year", timezone: "UTC", offset: 0 } }))).toBeNull();
  });
});

describe("the order of inputs", () => {
  it("is by effect, and the model's where none is known", () => {
    const names = byEffect(
      ["a", "b", "c", "d"].map((name) => ({ name })),
      [
        { feature: "c", gain: 0.7 },
        { feature: "b", gain: 0.3 },
      ],
    );
    expect(names.map(({ name }) => name)).toEqual(["c", "b", "a", "d"]);
  });
});
