import { describe, expect, it } from "vitest";
import { inputSource } from "../rules.ts";
import type { SeriesFacts } from "./known-rows.ts";
import { planGeneration, settleEnd } from "./plan-generation.ts";

type Series = { frequency: string; timezone: string; last: string };

/** When the last generated row is, for an end as a request names it. */
function lastRow({ frequency, timezone, last }: Series, endDate: string): string {
  const lastTimestamp = Date.parse(last);
  const grid = { frequency, timezone, start: lastTimestamp };
  const facts: SeriesFacts = { timestamp: "t", timezone, grid, horizon: 7, lastTimestamp };
  const source = settleEnd(inputSource({ title: "a", endDate }), facts);
  if (source.kind !== "Generated") throw new Error("not generated");
  return new Date(planGeneration({ heldOut: null }, facts, source.endDate)!).toISOString();
}

const monthEnds = { frequency: "P1M", timezone: "UTC", last: "2024-03-31T00:00:00Z" };
const noons = { frequency: "P1D", timezone: "UTC", last: "2024-03-31T12:00:00Z" };
const newYork = { frequency: "P1D", timezone: "America/New_York", last: "2024-03-31T04:00:00Z" };
const berlin = { frequency: "P1D", timezone: "Europe/Berlin", last: "2024-03-30T23:00:00Z" };
const hours = { frequency: "PT1H", timezone: "America/New_York", last: "2024-03-31T04:00:00Z" };

describe('"from the step after the last known one to `endDate`"', () => {
  it.each([
    ["no row after it", monthEnds, "2024-05-15", "2024-04-30T00:00:00.000Z"],
    ["the row at it", monthEnds, "2024-05-31", "2024-05-31T00:00:00.000Z"],
    ["a date's own row", noons, "2024-04-02", "2024-04-02T12:00:00.000Z"],
    ["no row after a time", noons, "2024-04-02T00:00:00Z", "2024-04-01T12:00:00.000Z"],
    ["the row at a time", noons, "2024-04-02T12:00:00Z", "2024-04-02T12:00:00.000Z"],
    ["a date's own row west of UTC", newYork, "2024-04-02", "2024-04-02T04:00:00.000Z"],
    ["no row after a time there", newYork, "2024-04-02T00:00:00Z", "2024-04-01T04:00:00.000Z"],
    ["a date's own row east of UTC", berlin, "2024-04-02", "2024-04-01T22:00:00.000Z"],
    ["hours up to a date's beginning", hours, "2024-04-02", "2024-04-02T00:00:00.000Z"],
  ])("has %s", (_, series, endDate, last) => {
    expect(lastRow(series, endDate)).toBe(last);
  });

  it("is refused where no row comes up to it", () => {
    expect(() => lastRow(monthEnds, "2024-04-29")).toThrow("2024-04-30T00:00:00.000Z or later");
  });
});
