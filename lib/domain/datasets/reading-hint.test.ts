import { expect, it } from "vitest";
import type { CsvOptions } from "#lib/engine/csv/options";
import { parseCsv } from "#lib/engine/csv/parse";
import { numericValues } from "#lib/engine/table/columns";
import { readingHint } from "./reading-hint.ts";

const bank = 'fee,balance,deposits,age\n1.25%,"$1,200.50",$7,34\n2%,"$3,000.00",$9,N/A\n1%,$12.00,$8,?\n';
const shop = "visitors;discount;sales\n1.204;10 %;4.617,60 €\n954;0 %;3.888,20 €\n";
const nothing = { numberFormats: [], missing: [] };
const plain = { unit: null, groupMark: null };

it.each([
  {
    name: "a bank export",
    file: bank,
    missing: ["N/A", "?"],
    values: { fee: [1.25, 2, 1], balance: [1200.5, 3000, 12], deposits: [7, 9, 8] },
  },
  {
    name: "a shop export",
    file: shop,
    missing: undefined,
    values: { visitors: [1204, 954], discount: [10, 0], sales: [4617.6, 3888.2] },
  },
])("names the options that read $name", ({ file, missing, values }) => {
  const hint = readingHint(parseCsv(file).columns, nothing);
  const [, json] = /^To read units and missing values, send (.*) with the file\.$/.exec(hint)!;
  const options = JSON.parse(json!) as Pick<CsvOptions, "numberFormats" | "missing">;
  expect(options.missing).toEqual(missing);
  const numberFormats = options.numberFormats!.map((format) => ({ ...plain, ...format }));
  const { table, issues } = parseCsv(file, { ...options, numberFormats });
  expect(issues).toEqual([]);
  for (const [name, expected] of Object.entries(values))
    expect([...numericValues(table, name)]).toEqual(expected);
});

it("is empty for plain numbers", () => {
  expect(readingHint(parseCsv("a,b\n1,2\n").columns, nothing)).toBe("");
});

it.each(["Infinity", "0x1F", "1e400", "abc"])("is empty if no option reads %s", (text) => {
  const file = `a,b\n1,2\n${text},3\n4,5\n6,7\n`;
  expect(readingHint(parseCsv(file).columns, nothing)).toBe("");
});

it("shows the formats of ten columns, and counts the others", () => {
  const names = Array.from({ length: 12 }, (_, at) => `c${at}`);
  const file = `${names.join(",")}\n${names.map(() => "5 %").join(",")}\n`;
  const hint = readingHint(parseCsv(file).columns, nothing);
  expect(hint.match(/"column"/g)).toHaveLength(10);
  expect(hint).toMatch(/ with the file\. 2 other columns need a format too\.$/);
});

it("keeps the options that were sent, and does not propose them again", () => {
  const file = "a,b\n5 %,NA\n6 %,?\n7 %,2\n-,3\n";
  const sent = {
    numberFormats: [{ column: "a", unit: "%", decimalMark: "." as const, groupMark: null }],
    missing: ["NA"],
  };
  expect(readingHint(parseCsv(file, sent).columns, sent)).toBe(
    'To read units and missing values, send {"numberFormats":[{"column":"a","decimalMark":".","unit":"%"}],"missing":["NA","-","?"]} with the file.',
  );
});
