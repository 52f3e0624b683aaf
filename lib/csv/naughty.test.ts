import { describe, expect, it } from "vitest";
import type { CategoryColumn } from "#lib/contract/table";
import { parseCsv } from "./parse.ts";
import { writeCsv } from "./write.ts";

/** Texts that break programs which take them for something else. */
const texts = [
  [
    "undefined",
    "null",
    "nil",
    "NULL",
    "NaN",
    "None",
    "true",
    "Infinity",
    "-Infinity",
    "\\N",
    "0x0",
    "1/0",
    "1e400",
    "-",
  ],
  ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "length", "then", "prototype"],
  [
    "'; DROP TABLE users; --",
    '" OR ""="',
    "#{7*7}",
    "{{7*7}}",
    "%s%n%x",
    "../../etc/passwd",
    "C:\\con",
    "$HOME",
    "`id`",
  ],
  ["<script>alert(1)</script>", "&amp;", "javascript:0", "data:text/html,x", "<!--", "]]>", "\\u0000", "%00"],
  [
    "Ω≈ç√∫˜µ≤≥÷",
    "田中さん",
    "社會科學院",
    "مناقشة سبل",
    "ﷺ",
    "בְּרֵאשִׁית",
    "\u202Etest\u202C",
    "\u200Bzero width\u200B",
    "e\u0301",
    "é",
  ],
  ["👩‍👩‍👧‍👦", "🏳️‍🌈", "👾 🙇 💁", "Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮", "𝕿𝖍𝖊", "ⅷ", "１２３", "﷽", "\uFFFD", "\u{10FFFF}"],
  [
    "a,b",
    "a;b",
    "a|b",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "a\rb",
    '"',
    '""',
    '"""',
    '","',
    "'",
    "#comment",
    "sep=,",
    "=1+1",
    "@x",
    "+",
    "--",
  ],
].flat();

describe("texts that break programs", () => {
  it("are ordinary values: each is read back as it was, and only as text", () => {
    const columns: CategoryColumn[] = [
      { name: "id", type: "category", categories: texts, codes: Int32Array.from(texts.keys()) },
      { name: "text", type: "category", categories: texts, codes: Int32Array.from(texts.keys()) },
    ];
    const csv = [...writeCsv({ rowCount: texts.length, columns }, { escapeFormulas: false })].join("");
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
    const csv = [...writeCsv({ rowCount: 1, columns }, { escapeFormulas: false })].join("");
    const result = parseCsv(csv);
    expect(result.faults).toEqual([]);
    expect(result.header).toEqual(texts);
    expect(
      result.table.columns.map((column) => (column.type === "number" ? column.values[0] : null)),
    ).toEqual(row);
  });
});
