import { expect, it } from "vitest";
import { formatSeconds } from "./job-text.ts";

it("formats a duration in the unit of its rounded value", () => {
  expect([0, 1.4, 59.4, 59.6, 60, 3_569, 3_571, 3_600, 5_400].map(formatSeconds)).toEqual([
    ...["1 s", "1 s", "59 s", "1 min", "1 min", "59 min", "1 h", "1 h", "1.5 h"],
  ]);
});
