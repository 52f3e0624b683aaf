import fc from "fast-check";
import { expect, test } from "vitest";
import { textIssues } from "./text-issues.ts";

const fields = (value: unknown) => textIssues(value).map(({ field }) => field);

test("reports every invalid string with its field, including field names", () => {
  expect(fields({ a: { b: ["x", "\ud800", "\udc00x"] }, c: "a\0b", "d\0": { e: 1 } })).toEqual([
    "d\uFFFD",
    "c",
    "a.b.1",
    "a.b.2",
  ]);
  expect(textIssues("\0")).toEqual([
    {
      code: "invalid_text",
      message: "The text contains a character that is not allowed: NUL or an unpaired surrogate",
    },
  ]);
});

const text = fc.string({ unit: fc.constantFrom("a", "\\", "u0000", "\0", "\ud83d", "\ude00", "é", "漢") });

test("accepts well-formed strings without NUL and rejects all others", () => {
  fc.assert(
    fc.property(fc.object({ key: text, values: [text, fc.integer()] }), (value) => {
      const plain = JSON.stringify(value).replaceAll("\\\\", "");
      expect(textIssues(value).length > 0).toBe(/\\u0000|\\ud[89a-f]/.test(plain));
    }),
  );
});

test("cost grows only with the length of the body, not with depth or count", () => {
  let deep: unknown = "\0";
  for (let depth = 0; depth < 100_000; depth++) deep = [deep, "\0"];
  const issues = textIssues(deep);
  expect(issues).toHaveLength(100_001);
  expect(JSON.stringify(issues.slice(0, 100)).length).toBeLessThan(100_000);
});
