import { describe, expect, it } from "vitest";
import { abbreviates } from "./abbreviation.ts";

describe("abbreviates", () => {
  it.each([
    ["temp", "temperature"],
    ["hum", "humidity"],
    ["wnd", "wind_speed"],
    ["wspd", "windSpeed"],
    ["atemp", "apparent temperature"],
    ["temp", "air_temperature"],
    ["prs", "pressure"],
    ["Qty", "quantity"],
    ["amt", "total-amount"],
    ["dow", "day_of_week"],
  ])("%s abbreviates %s", (short, long) => {
    expect(abbreviates(short, long)).toBe(true);
  });

  it.each([
    ["cat", "concentration"],
    ["te", "temperature"],
    ["load", "price"],
    ["temperature", "temp"],
    ["temp", "temp"],
    ["humx", "humidity"],
    ["", "humidity"],
    ["mp", "temp"],
  ])("%s does not abbreviate %s", (short, long) => {
    expect(abbreviates(short, long)).toBe(false);
  });

  it("takes little time for hostile names", () => {
    const started = performance.now();
    expect(abbreviates("a".repeat(100), Array(60).fill("a").join("_"))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
