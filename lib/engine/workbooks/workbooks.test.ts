import { describe, expect, test } from "vitest";
import writeXlsxFile from "write-excel-file/node";
import type { CsvOptions } from "#lib/engine/csv/options";
import { valuesOf } from "#testing/csv-case-rows";
import { codes, readWorkbook, sheet } from "#testing/read-in-pieces";
import { type Cell, styled, workbook } from "#testing/workbooks";

test("reads what another library writes: dates, numbers, truth values and texts by type", async () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({
    t: new Date(Date.UTC(2024, 0, 1, at)),
    y: Math.sin(at) * 10 ** (at % 7),
    city: ["Köln & <Bonn>", 'Z"ü"rich', "a,b"][at % 3]!,
    open: at % 2 === 0,
  }));
  const date = { type: Date, format: "dd.mm.yyyy hh:mm" } as const;
  const bytes = await writeXlsxFile([
    ["t", "y", "city", "open"].map((value) => ({ value })),
    ...rows.map(({ t, ...cells }) => [
      { value: t, ...date },
      ...Object.values(cells).map((value) => ({ value })),
    ]),
  ]).toBuffer();
  for (const size of [1, 999, 1 << 20]) {
    const { table, issues, warnings, times } = await readWorkbook(bytes, { timestamp: "t" }, size);
    expect([issues, warnings]).toEqual([[], []]);
    expect(times?.format).toBe("iso");
    expect(valuesOf(table, "t")).toEqual(rows.map(({ t }) => t.toISOString()));
    expect(valuesOf(table, "y")).toEqual(rows.map(({ y }) => y));
    expect(valuesOf(table, "city")).toEqual(rows.map(({ city }) => city));
    expect(valuesOf(table, "open")).toEqual(rows.map(({ open }) => open));
  }
});

test("reads a table that begins in a later column, and names its cells", async () => {
  const rows: (Cell[] | null)[] = [
    [null, "Sales"],
    null,
    [null, "x", "y"],
    ...Array.from({ length: 9 }, (_, at): Cell[] => [null, at, at === 4 ? "many" : at]),
  ];
  const named = await readWorkbook(sheet(rows));
  expect(named.issues).toMatchObject([{ code: "header_below", choices: [{ options: { headerRow: 3 } }] }]);
  const { header, issues, rowCount } = await readWorkbook(sheet(rows), { headerRow: 3 });
  expect([header, rowCount]).toEqual([["x", "y"], 9]);
  expect(issues).toMatchObject([{ row: 5, column: "y", value: "many" }]);
  expect(issues[0]!.message).toContain("cell C8");
  // A later cell in front of the table is no part of it.
  const many = Array.from({ length: 250 }, (): Cell[] => [null, 1, 2]);
  const beside = await readWorkbook(sheet([[null, "x", "y"], ...many, ["note", 3, 4]]));
  expect(codes(beside.issues)).toEqual(["ragged_row"]);
});

test.each<[string, string, number | string, boolean, string]>([
  ["a date", "dd/mm/yyyy", 45322, false, "2024-01-31"],
  ["a date of 1904", "yyyy-mm-dd", 43860, true, "2024-01-31"],
  ["a month", "mmm-yy", 45292, false, "2024-01-01"],
  ["a date with a time", "m/d/yy h:mm", 45322.5, false, "2024-01-31 12:00:00"],
  ["a rounded time", "yyyy-mm-dd hh:mm", "45292.0416666667", false, "2024-01-01 01:00:00"],
  ["midnight beside times", "yyyy-mm-dd hh:mm", 45292, false, "2024-01-01 00:00:00"],
  ["a date before the day that never was", "yyyy-mm-dd", 59, false, "1900-02-28"],
  ["a date after it", "yyyy-mm-dd", 61, false, "1900-03-01"],
  ["a time of day", "hh:mm", 0.75, false, "18:00"],
  ["a duration", "[h]:mm:ss", 1.5, false, "36:00"],
  ["a date with a locale", "[$-407]d. mmmm yyyy;@", 45322, false, "2024-01-31"],
  ["a number with a unit", '0.0" kWh / day"', 12.5, false, "12.5"],
  ["a coloured number", "[Red]#,##0.00", 1234.5, false, "1234.5"],
  ["a percentage", "0 %", 0.05, false, "0.05"],
  ["a scientific number", "0.00E+00", "1.5E-3", false, "0.0015"],
  ["a number that looks grouped", "0.000", 1.056, false, "1.0560"],
  ["a day that never was", "yyyy-mm-dd", 60, false, "60"],
  ["a long number", "0", "12345678901234567890", false, "12345678901234567890"],
])("reads %s by its type", async (_, format, value, is1904, text) => {
  const bytes = sheet([["a"], [styled(value, 1)]], { formats: [format], is1904 });
  const { table } = await readWorkbook(bytes, { categories: ["a"] });
  expect(valuesOf(table, "a")).toEqual([text]);
});

test("asks nothing for numbers with three decimals, which are no groups", async () => {
  const { issues, table } = await readWorkbook(
    sheet([["y", "z"], ...[985, 1.056, 1.2, 12].map((y) => [y, 1])]),
    {
      target: "y",
    },
  );
  expect(issues).toEqual([]);
  expect(valuesOf(table, "y")).toEqual([985, 1.056, 1.2, 12]);
});

describe("cells", () => {
  test("shared, rich and escaped texts, without reading aids", async () => {
    const shared = [
      "<t>plain</t>",
      '<r><t>Kö</t></r><r><t xml:space="preserve">ln </t></r>',
      "<t>東京</t><rPh><t>トウキョウ</t></rPh>",
      "<t>a&#10;b_x0041_&amp;amp;</t>",
    ];
    const at = (index: number): Cell => ({ xml: `<c t="s"><v>${index}</v></c>` });
    const { table } = await readWorkbook(
      sheet([["a"], ...[0, 1, 2, 3].map((index) => [at(index)])], { shared }),
    );
    expect(valuesOf(table, "a")).toEqual(["plain", "Köln", "東京", "a bA&amp;"]);
  });

  test("results of formulas, and a formula without one", async () => {
    const sum: Cell = { xml: "<c><f>A1+1</f><v>7.5</v></c>" };
    const text: Cell = { xml: '<c t="str"><f>A1&amp;"x"</f><v>ax</v></c>' };
    const good = await readWorkbook(
      sheet([
        ["y", "b"],
        [sum, text],
        [1, "c"],
      ]),
    );
    expect([valuesOf(good.table, "y"), valuesOf(good.table, "b")]).toEqual([
      [7.5, 1],
      ["ax", "c"],
    ]);
    const bad = await readWorkbook(sheet([["y"], [1], [{ xml: "<c><f>A1+1</f></c>" }]]));
    expect(bad.issues).toMatchObject([{ code: "formula_without_result" }]);
    expect(bad.issues[0]!.message).toMatch(/^Cell A3 holds a formula without its result/);
  });

  test("errors are missing, with a warning that names them", async () => {
    const error = (value: string): Cell => ({ xml: `<c t="e"><v>${value}</v></c>` });
    const { table, warnings } = await readWorkbook(
      sheet([
        ["y", "z"],
        [1, 1],
        [error("#N/A"), 2],
        [error("#DIV/0!"), 3],
      ]),
    );
    expect(valuesOf(table, "y")).toEqual([1, null, null]);
    expect(warnings).toMatchObject([
      {
        code: "error_cells",
        message: "2 cells hold errors, such as #N/A in A3, #DIV/0! in A4, and are read as missing.",
      },
    ]);
  });

  test("merged cells have one value, with a warning that names them", async () => {
    const tail = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>';
    const { table, warnings } = await readWorkbook(
      sheet(
        [
          ["a", "y"],
          ["x", 1],
          [null, 2],
        ],
        { tail },
      ),
    );
    expect(valuesOf(table, "a")).toEqual(["x", null]);
    expect(codes(warnings)).toEqual(["merged_cells"]);
    expect(warnings[0]!.message).toMatch(/^Cells A2:A3 are merged/);
  });

  test("without addresses, and with prefixed names", async () => {
    const xml =
      "<x:row><x:c t='inlineStr'><x:is><x:t>y</x:t></x:is></x:c></x:row><x:row><x:c><x:v>3</x:v></x:c></x:row>";
    const { table } = await readWorkbook(workbook({ sheets: { Data: { xml } } }));
    expect(valuesOf(table, "y")).toEqual([3]);
  });
});

describe("tables in a sheet", () => {
  const table = [
    ["t", "y", "z"],
    ...Array.from({ length: 9 }, (_, at) => [`2024-01-0${at + 1}`, at, at === 4 ? null : 1]),
  ];

  test("below a title, whose line is named, and with blank rows", async () => {
    const rows = [
      ["Sales"],
      null,
      ["Source: office"],
      null,
      ...table.slice(0, 5),
      null,
      ...table.slice(5),
    ] as Cell[][];
    const below = await readWorkbook(sheet(rows), { target: "y" });
    expect(below.issues).toMatchObject([{ code: "header_below", choices: [{ options: { headerRow: 5 } }] }]);
    const found = await readWorkbook(sheet(rows), { target: "y", headerRow: 5, columns: undefined as never });
    expect(found.rowCount).toBe(9);
    const wrong = rows.map((row) => [...(row ?? [])]) as Cell[][];
    wrong[12]![1] = "x";
    const { issues } = await readWorkbook(sheet(wrong), {
      headerRow: 5,
      columns: [{ name: "y", type: "number" }],
    });
    expect(issues).toMatchObject([
      { row: 7, column: "y", message: 'Row 7, column "y": "x" is not a number (sheet "Data", cell B13).' },
    ]);
  });

  test("with a cell beside it", async () => {
    const rows = table.map((row, at) => (at === 3 ? [...row, null, "note"] : row)) as Cell[][];
    const { issues } = await readWorkbook(sheet(rows));
    expect(issues).toMatchObject(
      [{ row: 3, code: "ragged_row", message: /sheet "Data", row 4/ }].map(() => ({
        row: 3,
        code: "ragged_row",
      })),
    );
    expect(issues[0]!.message).toContain('(sheet "Data", row 4)');
  });

  test("with months as columns", async () => {
    const rows = [
      ["region", styled(45292, 1), styled(45323, 1), styled(45352, 1)],
      ["North", 1, "x", 3],
    ];
    const first = await readWorkbook(sheet(rows, { formats: ["mmm yy"] }));
    const choice = first.warnings.find(({ code }) => code === "wide_table")!.choices![0]!
      .options as CsvOptions;
    const { issues, rowCount } = await readWorkbook(sheet(rows, { formats: ["mmm yy"] }), {
      ...choice,
      columns: [{ name: "value", type: "number" }],
    });
    expect(rowCount).toBe(3);
    expect(issues).toMatchObject([
      {
        row: 1,
        column: "2024-02-01",
        message: 'Row 1, column "2024-02-01": "x" is not a number (sheet "Data", cell C2).',
      },
    ]);
  });
});

describe("sheets", () => {
  const two = (name: string): Cell[][] => [[name], [1]];
  const bytes = workbook({
    sheets: { Notes: [["secret"], [1]], "A & B": two("a"), Other: two("o"), Empty: [] },
    states: { Notes: 'state="hidden"' },
  });

  test("reads the first one that is not hidden, and names the others", async () => {
    const { header, warnings, origin } = await readWorkbook(bytes);
    expect(header).toEqual(["a"]);
    expect(origin.sheet).toMatchObject({ name: "A & B", sheets: ["A & B", "Other", "Empty"] });
    expect(warnings).toMatchObject([
      { code: "other_sheets", choices: [{ options: { sheet: "Other" } }, { options: { sheet: "Empty" } }] },
    ]);
  });

  test("reads the one that is chosen, also a hidden one", async () => {
    expect((await readWorkbook(bytes, { sheet: "Other" })).header).toEqual(["o"]);
    expect((await readWorkbook(bytes, { sheet: "Notes" })).header).toEqual(["secret"]);
    const wrong = await readWorkbook(bytes, { sheet: "Othr" });
    expect(wrong.issues).toMatchObject([{ code: "unknown_sheet", choices: [{}, {}, {}, {}] }]);
    expect(wrong.issues[0]!.message).toMatch(/Did you mean "Other"/);
  });

  test("rejects a further file without the stored one, and names its sheets", async () => {
    const { issues } = await readWorkbook(bytes, { sheet: "2023", columns: [{ name: "a", type: "number" }] });
    expect(issues).toMatchObject([{ code: "unknown_sheet" }]);
    expect(issues[0]!.choices).toBeUndefined();
    expect(issues[0]!.message).toMatch(/no sheet "2023"\..* "Other".* give the sheet this name\.$/);
  });

  test("rejects an empty one", async () => {
    expect(codes((await readWorkbook(bytes, { sheet: "Empty" })).issues)).toEqual(["empty_file"]);
  });
});
