import { describe, expect, it } from "vitest";
import type { SeriesFacts } from "#lib/domain/models/linked/known-rows";
import { inputSource } from "../scenario-request.ts";
import { planGeneration, settleEnd } from "./plan-generation.ts";

type Series = { frequency: string; timezone: string; last: string };

/** Returns the time of the last generated row for the `endDate` of a request. */
function lastRow({ frequency, timezone, last }: Series, endDate: string): string {
  const lastTimestamp = Date.parse(last);
  const grid = { frequency, timezone, start: lastTimestamp };
  const facts: SeriesFacts = {
    timestamp: "t",
    timezone,
    grid,
    horizon: 7,
    lastTimestamp,
    plannedUntil: null,
  };
  const source = settleEnd(inputSource({ title: "a", endDate }), facts);
  if (source.kind !== "Generated") throw new Error("not generated");
  return new Date(planGeneration({ heldOut: null }, facts, source.endDate)!).toISOString();
}

const monthEnds = { frequency: "P1M", timezone: "UTC", last: "2024-03-31T00:00:00Z" };
const noons = { frequency: "P1D", timezone: "UTC", last: "2024-03-31T12:00:00Z" };
const newYork = { frequency: "P1D", timezone: "America/New_York", last: "2024-03-31T04:00:00Z" };
const berlin = { frequency: "P1D", timezone: "Europe/Berlin", last: "2024-03-30T23:00:00Z" };
const hours = { frequency: "PT1H", timezone: "America/New_York", last: "2024-03-31T04:00:00Z" };

describe("the generated input", () => {
  it.each([
    ["the last row before the end date", monthEnds, "2024-05-15", "2024-04-30T00:00:00.000Z"],
    ["the row at the end date", monthEnds, "2024-05-31", "2024-05-31T00:00:00.000Z"],
    ["a date's own row", noons, "2024-04-02", "2024-04-02T12:00:00.000Z"],
    ["the last row before an end time", noons, "2024-04-02T00:00:00Z", "2024-04-01T12:00:00.000Z"],
    ["the row at an end time", noons, "2024-04-02T12:00:00Z", "2024-04-02T12:00:00.000Z"],
    ["a date's own row west of UTC", newYork, "2024-04-02", "2024-04-02T04:00:00.000Z"],
    [
      "the last row before an end time west of UTC",
      newYork,
      "2024-04-02T00:00:00Z",
      "2024-04-01T04:00:00.000Z",
    ],
    ["a date's own row east of UTC", berlin, "2024-04-02", "2024-04-01T22:00:00.000Z"],
    ["the hour at the start of the date", hours, "2024-04-02", "2024-04-02T00:00:00.000Z"],
  ])("ends with %s", (_, series, endDate, last) => {
    expect(lastRow(series, endDate)).toBe(last);
  });

  it("is rejected if no row lies between the last known row and the end date", () => {
    expect(() => lastRow(monthEnds, "2024-04-29")).toThrow("2024-04-30T00:00:00.000Z or later");
  });
});
