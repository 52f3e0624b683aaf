import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nameFinder, nearestName } from "./nearest-name.ts";

describe("editDistance", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });

  it("is zero only for equal texts, symmetric, and bounded by the lengths", () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  it("counts one for one insertion, one substitution, one swap", () => {
    expect(editDistance("temp", "tmp")).toBe(1);
    expect(editDistance("temp", "tamp")).toBe(1);
    expect(editDistance("temp", "tepm")).toBe(1);
  });
});

describe("nearestName", () => {
  it.each([
    ["temp", ["tepm", "hum"], "tepm"],
    ["wind_speed", ["WindSpeed", "winds"], "WindSpeed"],
    ["humidity", ["hum", "humidty"], "humidty"],
    ["temp", ["price", "load"], null],
    ["temperature", ["hum", "temp"], "temp"],
    ["humidity", ["temp", "hum"], "hum"],
    ["wspd", ["windowSize", "wind_speed"], "wind_speed"],
    ["a", ["b"], null],
    ["caf\u00e9", ["cafe\u0301", "cafes"], "cafe\u0301"],
    ["ＴＥＭＰ", ["temp"], "temp"],
    ["__proto__", ["proto", "x"], "proto"],
  ])("returns for %s in %j: %s", (name, candidates, nearest) => {
    expect(nearestName(name, candidates)).toBe(nearest);
  });

  it("finds a name that differs only in separators among 20,000 candidates, but no similar name", () => {
    const others = Array.from({ length: 20_000 }, (_, at) => `${"abcdefghij".repeat(9)}${at}`);
    const wanted = `${"abcdefghij".repeat(9)}-19999`;
    expect(nearestName(wanted, others)).toBe(others[19_999]);
    const find = nameFinder(others);
    for (let at = 0; at < 50; at++) expect(find(`${"jihgfedcba".repeat(9)}${at}`)).toBeNull();
  });
});
