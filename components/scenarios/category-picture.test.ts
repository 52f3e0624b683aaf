import { expect, it } from "vitest";
import type { GeneratedInput } from "#lib/contract/generated-inputs";
import { categoryPicture } from "./category-picture.ts";

const days = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.UTC(2026, 0, from + at)).toISOString());
const input = (known: (string | null)[], generated: string[]): GeneratedInput => ({
  feature: "sky",
  method: "last value",
  error: 0.2,
  errorKind: "share",
  origins: 3,
  known: { timestamps: days(1, known.length), values: known },
  generated: { timestamps: days(1 + known.length, generated.length), values: generated },
});

it("draws each category as a lane of runs, and separates history from generated values", () => {
  expect(categoryPicture(input(["sun", "sun", "rain"], ["sun", "sun"]))).toEqual({
    lanes: [
      {
        name: "sun",
        runs: [
          { x: 0, width: 80, isGenerated: false },
          { x: 120, width: 80, isGenerated: true },
        ],
      },
      { name: "rain", runs: [{ x: 80, width: 40, isGenerated: false }] },
    ],
    split: 120,
  });
});

it("interrupts a run at a missing value and at the end of the history", () => {
  const picture = categoryPicture(input(["sun", null, "sun"], ["sun"]));
  expect(picture!.lanes[0]!.runs.map(({ x, isGenerated }) => [x, isGenerated])).toEqual([
    [0, false],
    [100, false],
    [150, true],
  ]);
});

it("joins rare categories in the last lane", () => {
  const { lanes } = categoryPicture(input(["a", "a", "b", "b", "c", "c", "d", "d", "e", "f"], ["a"]))!;
  expect(lanes.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "2 others"]);
  expect(lanes.at(-1)!.runs).toHaveLength(1);
});

it("returns no picture for numbers", () => {
  const numbers = { timestamps: days(1, 1), values: [1] };
  expect(categoryPicture({ ...input([], []), known: numbers, generated: numbers })).toBeNull();
});
