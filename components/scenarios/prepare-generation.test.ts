import { describe, expect, it } from "vitest";
import { endDateIssue, nextStep, prepareGeneration, proposedTitle } from "./prepare-generation.ts";

const daily = {
  firstTimestamp: "2026-01-01T00:00:00Z",
  lastTargetTimestamp: "2026-01-11T00:00:00Z",
  frequency: "P1D",
  calendar: null,
  monthDay: null,
  timezone: "UTC",
};

describe("prepareGeneration", () => {
  it("counts the steps after the data, including the chosen day", () => {
    expect(prepareGeneration(daily, "2026-01-21")).toEqual({
      state: "ready",
      rows: 10,
      share: 0.5,
      from: "2026-01-12T00:00:00.000Z",
      to: "2026-01-21T00:00:00.000Z",
    });
    const hourly = { ...daily, frequency: "PT1H" };
    expect(prepareGeneration(hourly, "2026-01-11")).toMatchObject({ state: "ready", rows: 23 });
    const business = { ...daily, lastTargetTimestamp: "2026-01-09T00:00:00Z", calendar: "business" as const };
    expect(prepareGeneration(business, "2026-01-19")).toMatchObject({
      rows: 6,
      from: "2026-01-12T00:00:00.000Z",
      to: "2026-01-19T00:00:00.000Z",
    });
    const monthly = { ...daily, lastTargetTimestamp: "2026-02-01T00:00:00Z", frequency: "P1M" };
    expect(prepareGeneration(monthly, "2026-04-30")).toMatchObject({
      rows: 2,
      to: "2026-04-01T00:00:00.000Z",
    });
  });

  it("ends with the local day, not with the row of the next one", () => {
    const berlin = { firstTimestamp: "2025-12-31T23:00:00Z", lastTargetTimestamp: "2026-01-10T23:00:00Z" };
    expect(prepareGeneration({ ...daily, ...berlin, timezone: "Europe/Berlin" }, "2026-01-21")).toMatchObject(
      {
        rows: 10,
        to: "2026-01-20T23:00:00.000Z",
      },
    );
  });

  it("rejects a day before the end of the data or too far ahead", () => {
    expect(prepareGeneration(daily, "2026-01-11")).toEqual({ state: "too early" });
    expect(prepareGeneration(daily, "2999-01-11")).toEqual({ state: "too long" });
  });

  it("stays open without a day or without times", () => {
    expect(prepareGeneration(daily, "")).toEqual({ state: "open" });
    expect(prepareGeneration({ ...daily, frequency: null }, "2026-02-01")).toEqual({ state: "open" });
  });
});

describe("endDateIssue", () => {
  it("names the last day of the data, or the limit, and accepts other dates", () => {
    expect(endDateIssue(daily, "2020-01-01")).toBe(
      "The known target ends with 11 Jan 2026. Choose a later day.",
    );
    expect(endDateIssue(daily, "2999-01-11")).toContain("The limit is 100,000 rows.");
    expect(endDateIssue(daily, "2026-01-21")).toBeUndefined();
    expect(endDateIssue(daily, "")).toBeUndefined();
  });
});

describe("nextStep", () => {
  it.each([
    ["PT1H", null, "2026-01-31T00:00:00Z", "2026-01-31T01:00:00.000Z"],
    ["P7D", null, "2026-01-22T00:00:00Z", "2026-01-29T00:00:00.000Z"],
    ["P1D", "business", "2026-01-30T00:00:00Z", "2026-02-02T00:00:00.000Z"],
    ["P1M", null, "2026-02-01T00:00:00Z", "2026-03-01T00:00:00.000Z"],
  ] as const)("adds one step of %s (%s)", (frequency, calendar, lastTargetTimestamp, next) => {
    expect(nextStep({ ...daily, frequency, calendar, lastTargetTimestamp })).toBe(next);
  });

  it("continues month ends on month ends", () => {
    const monthDay = 31;
    const ends = {
      ...daily,
      firstTimestamp: "2025-11-30T00:00:00Z",
      lastTargetTimestamp: "2026-01-31T00:00:00Z",
    };
    expect(nextStep({ ...ends, frequency: "P1M", monthDay })).toBe("2026-02-28T00:00:00.000Z");
  });

  it("returns null without a regular step", () => {
    expect(nextStep({ ...daily, frequency: null })).toBeNull();
  });
});

describe("proposedTitle", () => {
  it("proposes a title from the first generated day, which no other scenario has", () => {
    expect(proposedTitle(daily, ["Base"])).toBe("Forecast from 12 Jan 2026");
    expect(proposedTitle(daily, ["Forecast from 12 Jan 2026", "Base"])).toBe("Forecast from 12 Jan 2026 (2)");
    const hourly = { ...daily, frequency: "PT1H", lastTargetTimestamp: "2026-01-11T22:00:00Z" };
    expect(proposedTitle(hourly, [])).toBe("Forecast from 11 Jan 2026");
    expect(proposedTitle({ ...daily, frequency: null }, [])).toBe("");
    expect(proposedTitle(null, [])).toBe("");
  });
});
