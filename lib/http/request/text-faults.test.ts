import fc from "fast-check";
import { expect, test } from "vitest";
import { textFaults } from "./text-faults.ts";

const fields = (value: unknown) => textFaults(value).map(({ field }) => field);

test("every text that is none is named by its field, also a name itself", () => {
  expect(fields({ a: { b: ["x", "\ud800", "\udc00x"] }, c: "a\0b", "d\0": { e: 1 } })).toEqual([
    "d\uFFFD",
    "c",
    "a.b.1",
    "a.b.2",
  ]);
  expect(textFaults("\0")).toEqual([
    {
      code: "invalid_text",
      message: "The text holds a character that no text may hold: NUL, or half of a surrogate pair",
    },
  ]);
});

const text = fc.string({ unit: fc.constantFrom("a", "\\", "u0000", "\0", "\ud83d", "\ude00", "é", "漢") });

test("whatever is well-formed and holds no NUL has no fault, and anything else has one", () => {
  fc.assert(
    fc.property(fc.object({ key: text, values: [text, fc.integer()] }), (value) => {
      const plain = JSON.stringify(value).replaceAll("\\\\", "");
      expect(textFaults(value).length > 0).toBe(/\\u0000|\\ud[89a-f]/.test(plain));
    }),
  );
});

test("depth and number cost no more than the body's length", () => {
  let deep: unknown = "\0";
  for (let depth = 0; depth < 100_000; depth++) deep = [deep, "\0"];
  const faults = textFaults(deep);
  expect(faults).toHaveLength(100_001);
  expect(JSON.stringify(faults.slice(0, 100)).length).toBeLessThan(100_000);
});
