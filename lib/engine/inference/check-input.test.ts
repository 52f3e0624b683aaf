import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { numericValues, withColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { DAY, load, number, START, sales, series } from "#testing/sales-model";
import { InputInvalid } from "./predict-table.ts";

describe("checkInput", () => {
  test("lists every issue of a table, and predict rejects it", async () => {
    const table = sales(120);
    const model = await load(await fitModel(series(table)));
    const rows = sliceRows(table, 0, 3);
    const wrong: Table = {
      rowCount: 3,
      columns: [
        { name: "day", type: "timestamp", values: Float64Array.of(START, Number.NaN, START) },
        { name: "Temp", type: "number", values: Float64Array.of(1, 2, 3) },
        { name: "kind", type: "category", categories: ["plain"], codes: Int32Array.of(0, -1, 0) },
        { name: "open", type: "number", values: Float64Array.of(0, 1, 2) },
      ],
    };
    const { issues, issueCount } = model.checkInput(wrong);
    expect(issueCount).toBe(4);
    expect(issues).toEqual([
      expect.objectContaining({ code: "missing_column", row: null, column: "temp" }),
      expect.objectContaining({ code: "missing_value", row: 2, column: "day" }),
      expect.objectContaining({ code: "missing_value", row: 2, column: "kind" }),
      expect.objectContaining({ code: "not_a_boolean", row: 3, column: "open", value: "2" }),
    ]);
    expect(issues[0]!.message).toContain('"Temp"');
    await expect(model.predict(wrong)).rejects.toThrow(InputInvalid);
    expect(model.checkInput(rows).issueCount).toBe(0);
  });

  test("warns of unknown columns, unseen categories and values outside the training range, by feature", async () => {
    const table = sales(120);
    const model = await load(await fitModel(series(table)));
    const odd: Table = {
      rowCount: 2,
      columns: [
        { name: "day", type: "timestamp", values: Float64Array.of(START + 500 * DAY, START + 501 * DAY) },
        number("temp", [500, -500]),
        { name: "kind", type: "category", categories: ["plain", "circus"], codes: Int32Array.of(0, 1) },
        { name: "open", type: "boolean", values: Float64Array.of(0, 1) },
        number("extra", [1, 2]),
      ],
    };
    const { issueCount, warnings } = model.checkInput(odd);
    expect(issueCount).toBe(0);
    expect(warnings).toEqual([
      expect.objectContaining({ code: "outside_range", column: "temp", rows: 2 }),
      expect.objectContaining({ code: "unseen_category", column: "kind", rows: 1 }),
      expect.objectContaining({ code: "unknown_column", column: "extra" }),
    ]);
  });

  test("converts text to numbers, and numbers to categories", async () => {
    const table = sales(120);
    const coded: Table = withColumn(table, {
      name: "kind",
      type: "category",
      categories: ["1", "2", "3"],
      codes: (table.columns[2] as Extract<Column, { type: "category" }>).codes,
    });
    const model = await load(await fitModel(series(coded)));
    const rows = sliceRows(coded, 0, 20);
    const { codes } = rows.columns[2] as Extract<Column, { type: "category" }>;
    const asNumbers = withColumn(
      rows,
      number(
        "kind",
        Float64Array.from(codes, (code) => code + 1),
      ),
    );
    const temps = [...numericValues(rows, "temp")];
    const asText = withColumn(asNumbers, {
      name: "temp",
      type: "category",
      categories: temps.map(String),
      codes: Int32Array.from(temps.keys()),
    });
    expect((await model.predict(asText)).predictions).toEqual((await model.predict(rows)).predictions);
  });
});
