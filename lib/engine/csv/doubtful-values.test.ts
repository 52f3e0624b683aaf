import { describe, expect, it } from "vitest";
import { parseCsv } from "./parse.ts";

const rows = (count: number, write: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => write(row));
const csv = (...lines: readonly (string | string[])[]) => lines.flat().join("\n");
const found = (file: string, options = {}) => {
  const { warnings, issues } = parseCsv(file, { target: "y", ...options });
  return {
    issues,
    rows: warnings.filter(({ code }) => code === "summary_row").map(({ firstRow }) => firstRow),
    warning: (code: string) => warnings.find((one) => one.code === code),
  };
};
const units = (row: number) => 3 + ((row * 7) % 20);
const sold = (row: number) => 10 + ((row * 5) % 31);
const shops = (count: number, from = 0) =>
  rows(count, (row) => `S${(from + row) % 5},${units(from + row)},${sold(from + row)}`);
const sums = (from: number, to: number, label: string, of = (sum: number) => String(sum)) => {
  let [first, second] = [0, 0];
  for (let row = from; row < to; row++) {
    first += units(row);
    second += sold(row);
  }
  return `${label},${of(first)},${of(second)}`;
};

describe("rows that are no data are named:", () => {
  it.each([
    ["a total above the rows", [sums(0, 40, "Total"), ...shops(40)], [1]],
    ["a total above the rows, without a known word", [sums(0, 40, "Alle Läden"), ...shops(40)], [1]],
    [
      "subtotals, and the total of all rows",
      [
        ...shops(20),
        sums(0, 20, "Subtotal"),
        ...shops(20, 20),
        sums(20, 40, "Subtotal"),
        sums(0, 40, "Total"),
      ],
      [21, 42, 43],
    ],
    ["a rounded mean", [...shops(40), sums(0, 40, "all", (sum) => (sum / 40).toFixed(1))], [41]],
    [
      "notes with the commas of empty cells",
      [...shops(40), "Source: office,,", "Updated in May,,"],
      [41, 42],
    ],
  ])("%s", (_, lines, expected) => {
    expect(found(csv("shop,units,y", lines)).rows).toEqual(expected);
  });

  it.each([
    ["a shop called Total among others", [...shops(10), "Total,4,5", ...shops(10)]],
    ["a shop without values", [...shops(20), "S1,,"]],
    ["the same values in all rows", rows(10, (row) => `S${row},4,5`)],
    ["close values", rows(20, (row) => `S${row},${9007199254740000 + row},${9007199254740000 + row}`)],
    [
      "values whose sum is no number",
      rows(10, (row) => `S${row},${row % 3 ? 3 : "1.7e308"},${row % 3 ? 3 : "1.7e308"}`),
    ],
  ])("not %s", (_, lines) => {
    expect(found(csv("shop,units,y", lines)).rows).toEqual([]);
  });
});

it("warns about codes with leading zeros that are read as numbers, with the choice of text", () => {
  const { warning } = found(
    csv(
      "zip,y",
      rows(20, (row) => `${row % 3 === 0 ? "01" : "98"}${100 + row},${row}`),
    ),
  );
  expect(warning("leading_zeros")).toMatchObject({
    column: "zip",
    firstRow: 1,
    choices: [{ options: { categories: ["zip"] }, cells: [{ text: "01100", reading: "01100" }] }],
  });
  expect(warning("leading_zeros")!.message).toContain("01100");
  for (const text of ["07", "0.75", "0", "-0.5", "00"])
    expect(
      found(
        csv(
          "x,y",
          rows(20, (row) => `${text},${row}`),
        ),
      ).warning("leading_zeros"),
    ).toBeUndefined();
  const read = { columns: [{ name: "zip", type: "number" as const }] };
  expect(
    found(
      csv(
        "zip,y",
        rows(9, (row) => `0123,${row}`),
      ),
      read,
    ).warning("leading_zeros"),
  ).toBeUndefined();
});

it.each([
  ["magnitudes", (row: number) => `${row + 1}${row % 2 ? "K" : "M"}`],
  ["indian-grouping", (row: number) => `"1,${10 + row},${100 + row}"`],
])("offers the format that reads texts of an input as numbers: %s", (format, write) => {
  const file = csv(
    "x,y",
    rows(20, (row) => `${write(row)},${row}`),
  );
  expect(found(file).warning("numbers_as_texts")).toMatchObject({
    column: "x",
    choices: [{ options: { columnFormats: { x: format } } }],
  });
  const { table } = parseCsv(file, { target: "y", columnFormats: { x: format as "magnitudes" } });
  expect(table.columns[0]!.type).toBe("number");
});

it("leaves it to the issue of the target to offer the format of the target", () => {
  const file = csv(
    "x,y",
    rows(20, (row) => `${row},${row + 1}${row % 2 ? "K" : "M"}`),
  );
  expect(found(file).warning("numbers_as_texts")).toBeUndefined();
});

it.each(["NaN", "nan", "#NV", ":"])("offers to read %s as missing", (text) => {
  const { issues, columns } = parseCsv(
    csv(
      "x,y",
      rows(20, (row) => `${row},${row === 4 ? text : row}`),
    ),
  );
  expect(issues).toMatchObject([{ row: 5, column: "y", value: text }]);
  expect(issues[0]!.message).toContain("`missing`");
  expect(columns[1]).toMatchObject({ missingTexts: [text] });
});

describe("the line of the header is named below", () => {
  const table = (names: string, count = 20) => [names, ...rows(count, (row) => `S${row},${row},${row * 2}`)];
  it.each([
    ["a title with the commas of empty cells", ["Sales report,,"], table("shop,units,y"), 2],
    ["such a title and a blank row of them", ["Sales report,,", ",,"], table("shop,units,y"), 3],
    ["more lines than rows", rows(30, (row) => `Note ${row}`), table("shop,units,y"), 31],
    ["a title above years", ["Population"], table("country,2019,2020"), 2],
    ["a title with a comma", ["Sales, by shop"], table("shop,units,y"), 2],
  ])("%s", (_, above, lines, line) => {
    const { issues } = found(csv(above, lines));
    expect(issues).toMatchObject([{ code: "header_below", choices: [{ options: { headerRow: line } }] }]);
  });

  it.each([
    ["a column of row names without a name", csv(table(",units,y"))],
    [
      "rows with empty cells",
      csv(
        "shop,units,y",
        rows(9, (row) => `S${row},,${row}`),
      ),
    ],
    [
      "lines without numbers",
      csv(
        "shop,units,y",
        "a,,",
        rows(9, () => "a,b,c"),
      ),
    ],
  ])("not below %s", (_, file) => {
    expect(found(file).issues.map(({ code }) => code)).not.toContain("header_below");
  });
});

it("recognises days with the year last as columns of times", () => {
  const days = rows(30, (row) => `1/${row + 1}/20`);
  const { warnings } = parseCsv(
    csv(`region,${days}`, `A,${days.map((_, at) => at)}`, `B,${days.map((_, at) => at)}`),
  );
  expect(warnings.find(({ code }) => code === "wide_table")).toMatchObject({
    choices: [{ options: { shape: { times: days } } }],
  });
});
