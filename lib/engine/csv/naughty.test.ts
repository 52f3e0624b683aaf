import { describe, expect, it } from "vitest";
import type { CategoryColumn } from "#lib/contract/table";
import { csvOfTable } from "#testing/csv-of-table";
import { naughtyTexts as texts } from "#testing/hostile-texts";
import { parseCsv } from "./parse.ts";

describe("texts known to break programs", () => {
  it("read back unchanged as text values", () => {
    const columns: CategoryColumn[] = [
      { name: "id", type: "category", categories: texts, codes: Int32Array.from(texts.keys()) },
      { name: "text", type: "category", categories: texts, codes: Int32Array.from(texts.keys()) },
    ];
    const csv = csvOfTable({ rowCount: texts.length, columns });
    const result = parseCsv(new TextEncoder().encode(csv), { categories: ["id", "text"] });
    expect(result.issues).toEqual([]);
    expect((result.table.columns[1] as CategoryColumn).categories).toEqual(texts);
  });

  it("read back unchanged as column names", () => {
    const row = texts.map((_, index) => index);
    const columns = texts.map((name, index) => ({
      name,
      type: "number" as const,
      values: Float64Array.of(index),
    }));
    const csv = csvOfTable({ rowCount: 1, columns });
    const result = parseCsv(csv);
    expect(result.issues).toEqual([]);
    expect(result.header).toEqual(texts);
    expect(
      result.table.columns.map((column) => (column.type === "number" ? column.values[0] : null)),
    ).toEqual(row);
  });
});
