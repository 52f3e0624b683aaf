import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashJson } from "./hash-json.ts";

/** The same value with the fields of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, turned(part)]),
  );
}

/** As it comes over the wire, where there is no -0. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));

test("the order of an object's fields makes no difference, that of an array's items does", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(hashJson(turned(value))).toBe(hashJson(value));
    }),
  );
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
});

test("values that differ have hashes that differ", () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(hashJson(one) === hashJson(other)).toBe(isDeepStrictEqual(one, other));
    }),
  );
  expect(hashJson({ a: null })).not.toBe(hashJson({}));
  expect(hashJson({ a: "1" })).not.toBe(hashJson({ a: 1 }));
});
