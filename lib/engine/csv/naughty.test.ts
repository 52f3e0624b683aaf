import { describe, expect, it } from "vitest";
import type { CategoryColumn } from "#lib/contract/table";
import { naughtyTexts as texts } from "#testing/hostile-texts";
import { parseCsv } from "./parse.ts";
import { writeCsv } from "./write.ts";

describe("texts that break programs", () => {
  it("are ordinary values: each is read back as it was, and only as text", () => {
    const columns: CategoryColumn[] = [
      { name: "id", type: "category", categories: texts, codes: Int32Array.from(texts.keys()) },
      { name: "text", type: "category", categories: texts, codes: Int32Array.from(texts.keys()) },
    ];
    const csv = [...writeCsv({ rowCount: texts.length, columns })].join("");
    const result = parseCsv(new TextEncoder().encode(csv), { categories: ["id", "text"] });
    expect(result.faults).toEqual([]);
    expect((result.table.columns[1] as CategoryColumn).categories).toEqual(texts);
  });

  it("are ordinary names of columns", () => {
    const row = texts.map((_, index) => index);
    const columns = texts.map((name, index) => ({
      name,
      type: "number" as const,
      values: Float64Array.of(index),
    }));
    const csv = [...writeCsv({ rowCount: 1, columns })].join("");
    const result = parseCsv(csv);
    expect(result.faults).toEqual([]);
    expect(result.header).toEqual(texts);
    expect(
      result.table.columns.map((column) => (column.type === "number" ? column.values[0] : null)),
    ).toEqual(row);
  });
});
