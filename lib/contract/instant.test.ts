import { expect, test } from "vitest";
import { GoalSeekRequest } from "./goal-seek.ts";
import { instantOf, inUtc } from "./instant.ts";
import { Adjustment } from "./scenarios.ts";
import { SensitivityQuery } from "./sensitivity.ts";

const cases = [
  ["2026-02-14T06:00:00+02:00", "2026-02-14T04:00:00.000Z"],
  ["2026-02-13T23:30:00-05:00", "2026-02-14T04:30:00.000Z"],
  ["2026-02-14T06:00", "2026-02-14T06:00:00.000Z"],
  ["2026-02-14T06:00:00Z", "2026-02-14T06:00:00Z"],
  ["2026-02-14", "2026-02-14"],
] as const;

test.each(cases)("repeats the time %s in UTC, as the same instant", (sent, repeated) => {
  expect(inUtc(sent)).toBe(repeated);
  expect(instantOf(repeated)).toBe(instantOf(sent));
});

const repeating = [
  ["adjustments", Adjustment.shape],
  ["goal seek", GoalSeekRequest.shape],
  ["sensitivity", SensitivityQuery.shape],
] as const;

test.each(repeating)("repeats the bounds of %s in UTC", (_, { from, to }) => {
  for (const [sent, repeated] of cases)
    for (const bound of [from, to]) expect(bound.parse(sent)).toBe(repeated);
  for (const invalid of ["soon", "2026-02-30T00:00", "0000-01-01T00:00:00", 5])
    for (const bound of [from, to]) expect(bound.safeParse(invalid).success).toBe(false);
});
