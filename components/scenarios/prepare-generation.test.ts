import { describe, expect, it } from "vitest";
import { prepareGeneration } from "./prepare-generation.ts";

const daily = {
  firstTimestamp: "2026-01-01T00:00:00Z",
  lastTimestamp: "2026-01-11T00:00:00Z",
  frequency: "P1D",
};

describe("prepareGeneration", () => {
  it("counts the steps after the data, the chosen day included", () => {
    expect(prepareGeneration(daily, "2026-01-21")).toEqual({
      state: "ready",
      rows: 10,
      share: 0.5,
      from: "2026-01-12T00:00:00.000Z",
      to: "2026-01-21T00:00:00.000Z",
    });
    const hourly = { ...daily, frequency: "PT1H" };
    expect(prepareGeneration(hourly, "2026-01-11")).toMatchObject({ state: "ready", rows: 23 });
    const monthly = { ...daily, lastTimestamp: "2026-02-01T00:00:00Z", frequency: "P1M" };
    expect(prepareGeneration(monthly, "2026-04-30")).toMatchObject({
      rows: 2,
      to: "2026-04-01T00:00:00.000Z",
    });
  });

  it("says where the day is before the data's end, or too far", () => {
    expect(prepareGeneration(daily, "2026-01-11")).toEqual({ state: "too early" });
    expect(prepareGeneration(daily, "2999-01-11")).toEqual({ state: "too long" });
  });

  it("waits for a day, and for data with times", () => {
    expect(prepareGeneration(daily, "")).toEqual({ state: "open" });
    expect(prepareGeneration({ ...daily, frequency: null }, "2026-02-01")).toEqual({ state: "open" });
    expect(prepareGeneration({ ...daily, frequency: "PT0S" }, "2026-02-01")).toEqual({ state: "open" });
  });
});
