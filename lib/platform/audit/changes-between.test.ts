import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import { changesBetween } from "./changes-between.ts";

test("returns the fields that differ, from and to", () => {
  const before = { title: "A", notes: null, color: "#123456", kept: 1 };
  const after = { title: "B", notes: "New", color: "#123456" };
  expect(changesBetween(before, after)).toEqual([
    { field: "title", from: "A", to: "B" },
    { field: "notes", from: null, to: "New" },
  ]);
});

test("names values within objects by their path, and joins lists", () => {
  const before = { display: { temp: { unit: "K", decimals: 1 }, wind: { unit: "m/s" } }, tags: [] };
  const after = { display: { temp: { unit: "°C", decimals: 1 } }, tags: ["plan", "2026"] };
  expect(changesBetween(before, after)).toEqual([
    { field: "display.temp.unit", from: "K", to: "°C" },
    { field: "display.wind.unit", from: "m/s", to: null },
    { field: "tags", from: null, to: "plan, 2026" },
  ]);
});

test("writes times in ISO 8601, and compares them by value", () => {
  const at = new Date("2026-01-31T08:20:41.007Z");
  expect(changesBetween({ at: new Date(at) }, { at })).toEqual([]);
  expect(changesBetween({}, { at })).toEqual([{ field: "at", from: null, to: "2026-01-31T08:20:41.007Z" }]);
});

test("shortens long texts to the part that differs", () => {
  const same = "a".repeat(500);
  expect(changesBetween({ notes: `${same}before` }, { notes: `${same}after` })).toEqual([
    { field: "notes", from: `…${"a".repeat(40)}before`, to: `…${"a".repeat(40)}after` },
  ]);
  const [change] = changesBetween({ notes: null }, { notes: "😀".repeat(500) });
  expect(change).toEqual({ field: "notes", from: null, to: `${"😀".repeat(limits.auditedText)}…` });
});

test("shows a difference in every change, within the limits", () => {
  const value = fc.oneof(fc.string({ unit: "grapheme", maxLength: 600 }), fc.integer(), fc.boolean());
  const fields = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.oneof(value, fc.array(value)));
  fc.assert(
    fc.property(fields, fields, fc.string({ maxLength: 600 }), (before, after, common) => {
      const prefixed = (all: typeof before) =>
        Object.fromEntries(
          Object.entries(all).map(([name, one]) => [name, typeof one === "string" ? common + one : one]),
        );
      for (const { from, to } of changesBetween(prefixed(before), prefixed(after))) {
        expect(from).not.toBe(to);
        for (const text of [from, to]) {
          if (typeof text === "string") expect([...text].length).toBeLessThanOrEqual(limits.auditedText + 2);
        }
      }
    }),
  );
});

test("returns at most as many changes as an entry holds", () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field ${at}`, at]));
  expect(changesBetween({}, many)).toHaveLength(limits.auditedChanges);
});
