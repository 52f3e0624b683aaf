import fc from "fast-check";
import { expect, test } from "vitest";
import { isLongJson, jsonPieces } from "./json-pieces.ts";

const numbers = (length: number) => Array.from({ length }, (_, at) => at / 7);

test("writes plain data as JSON.stringify does", () => {
  const leaf = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.constantFrom(null, undefined));
  const plain = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
      fc.integer({ min: 4_000, max: 4_200 }).map(numbers),
    ),
  })).value;
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 5 }), (value) => {
      expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
    }),
  );
});

test.each<[string, unknown]>([
  ["columns", { series: Array.from({ length: 20 }, (_, id) => ({ id, values: numbers(20_000) })) }],
  ["rows", Array.from({ length: 10_000 }, (_, row) => ({ row, at: { x: row / 3, y: null, z: undefined } }))],
  ["names", Object.fromEntries(numbers(30_000).map((value) => [value, value]))],
  ["one value in each of many lists", Array.from({ length: 30_000 }, () => [1])],
])("writes %s in pieces of less than 200,000 characters", (_, value) => {
  const pieces = [...jsonPieces(value)];
  expect(pieces.join("")).toBe(JSON.stringify(value));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
});

test("finds values that take long to write, at any depth", () => {
  expect(isLongJson({ a: [numbers(49_000)] })).toBe(false);
  expect(isLongJson({ a: [numbers(30_000), { b: numbers(30_000) }] })).toBe(true);
  expect(isLongJson(Array.from({ length: 6_000 }, () => ({ a: 1, b: 2, c: 3, d: 4 })))).toBe(true);
  expect(isLongJson(null)).toBe(false);
});
