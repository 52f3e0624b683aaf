import { expect, it } from "vitest";
import { importanceRows } from "./importance-rows.ts";

it("lists derived values by their names instead of the timestamp and the target, largest first", () => {
  const rows = importanceRows([
    {
      feature: "date",
      gain: 0.6,
      parts: [
        { detail: "hour of day", gain: 0.45 },
        { detail: "day of week", gain: 0.15 },
      ],
    },
    { feature: "price", gain: 0.3, permutation: 2 },
    { feature: "sales", gain: 0.1, parts: [{ detail: "value 1 day earlier", gain: 0.1 }] },
  ]);
  expect(rows.map(({ name, of }) => [name, of])).toEqual([
    ["hour of day", "date"],
    ["price", undefined],
    ["day of week", "date"],
    ["value 1 day earlier", "sales"],
  ]);
  expect(rows.reduce((sum, { gain }) => sum + gain, 0)).toBeCloseTo(1);
});
