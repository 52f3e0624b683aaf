import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Table } from "#lib/contract/table";
import { compareRows, equalUntil } from "./compare-rows.ts";

const DAY_MS = 86_400_000;

/** One column of texts, and one of times if there are days. */
function tableOf(texts: readonly string[], days?: readonly number[]): Table {
  const categories = [...new Set(texts)].sort();
  const codes = Int32Array.from(texts, (text) => categories.indexOf(text));
  const text = { name: "text", type: "category" as const, codes, categories };
  const times = Float64Array.from(days ?? [], (day) => day * DAY_MS);
  const time = { name: "day", type: "timestamp" as const, values: times };
  return { rowCount: texts.length, columns: days === undefined ? [text] : [time, text] };
}

describe("compareRows", () => {
  it("names rows that were replaced in place, added and removed", () => {
    const compare = (before: string, after: string) =>
      compareRows(tableOf([...before]), tableOf([...after]), null);
    expect(compare("abc", "axcd")).toEqual({ added: [3], removed: [], changed: [[1, 1]] });
    expect(compare("abcd", "ad")).toEqual({ added: [], removed: [1, 2], changed: [] });
    expect(compare("aab", "ab")).toMatchObject({ added: [], changed: [], removed: [expect.any(Number)] });
    expect(compare("abc", "abc")).toEqual({ added: [], removed: [], changed: [] });
    expect(compare("ab", "ba")).toEqual({ added: [], removed: [], changed: [] });
  });

  it("takes rows of the same time as the same row", () => {
    const before = tableOf(["a", "b", "c"], [1, 2, 3]);
    const after = tableOf(["b", "x", "d"], [2, 3, 4]);
    expect(compareRows(before, after, "day")).toEqual({ added: [2], removed: [0], changed: [[2, 1]] });
  });

  it("counts every row once, for any two tables", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const { added, removed, changed } = compareRows(tableOf(one), tableOf(other), null);
        expect(one.length - removed.length + added.length).toBe(other.length);
        const left = one.filter((_, row) => !removed.includes(row) && !changed.some(([at]) => at === row));
        const right = other.filter((_, row) => !added.includes(row) && !changed.some(([, at]) => at === row));
        expect(left.toSorted()).toEqual(right.toSorted());
      }),
    );
  });
});

describe("equalUntil", () => {
  it("is the number of equal rows at the start, with any codes of the categories", () => {
    expect(equalUntil(tableOf(["b", "c", "a"]), tableOf(["b", "c", "d", "a"]))).toBe(2);
    expect(equalUntil(tableOf(["a"]), tableOf(["a"], [1]))).toBe(0);
  });
});
