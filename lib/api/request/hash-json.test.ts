import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashJson } from "./hash-json.ts";

/** Returns the same value with the fields of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, turned(part)]),
  );
}

/** Converts the value to its form on the wire, which has no -0. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

test("ignores the order of fields, but not the order of items", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(hashJson(turned(value))).toBe(hashJson(value));
    }),
  );
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
});

test("different values have different hashes", () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(hashJson(one) === hashJson(other)).toBe(isDeepStrictEqual(one, other));
    }),
  );
  expect(hashJson({ a: null })).not.toBe(hashJson({}));
  expect(hashJson({ a: "1" })).not.toBe(hashJson({ a: 1 }));
});
