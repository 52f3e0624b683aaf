import { expect, test } from "vitest";
import { differInCover } from "./scenario-list.ts";

const january = {
  status: "Completed" as const,
  firstTimestamp: "2026-01-01T00:00:00Z",
  lastTimestamp: "2026-01-14T00:00:00Z",
  rowCount: 14,
};
const longer = { ...january, lastTimestamp: "2026-01-20T00:00:00Z", rowCount: 20 };

test.each([
  ["one span", [january, { ...january }], false],
  ["two spans", [january, longer], true],
  ["a longer one that has not been predicted", [january, { ...longer, status: "Running" as const }], false],
  ["other numbers of rows without times", [10, 12].map((rowCount) => ({ ...january, rowCount })), true],
])("compares the times that scenarios cover: %s", (_, scenarios, expected) => {
  expect(differInCover(scenarios)).toBe(expected);
});
