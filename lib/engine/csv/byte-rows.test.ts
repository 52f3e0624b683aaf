import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvReader } from "./csv-reader.ts";
import type { CsvOptions, CsvResult } from "./options.ts";
import { parseCsv } from "./parse.ts";

const encoder = new TextEncoder();

/** More than the first piece, which is read as text. The rest is read from bytes where possible. */
const firstRows = Array.from({ length: 20_000 }, (_, row) => `${row}.5,${row % 7},c${row % 3}x,${row}`);
const head = (newline: string) => `a,b,c,d${newline}${firstRows.map((line) => line + newline).join("")}`;

const plain = fc.oneof(
  fc.constantFrom(
    "1",
    "2.5",
    "-3",
    "+4",
    "-0",
    "0.1",
    ".5",
    "7.",
    "",
    " ",
    " 8 ",
    "\t9",
    "1e3",
    "NaN",
    "0x1F",
  ),
  fc.constantFrom(
    "c0x",
    "é",
    "\u00a0x\u00a0",
    "\ufeff",
    "1,5",
    "true",
    "2024-01-31",
    "\r",
    "-",
    ".",
    "1.2.3",
  ),
  fc.double({ noNaN: true }).map(String),
  fc.integer().map(String),
  fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
  fc.tuple(fc.nat(10 ** 9), fc.nat(10 ** 9)).map(([whole, rest]) => `${whole}.${rest}`),
);
const odd = fc.constantFrom('"q"', '"line\n""two"""', 'a"b', '"', "x".repeat(70_000));
const line = fc.oneof(
  { weight: 20, arbitrary: fc.array(plain, { minLength: 4, maxLength: 4 }) },
  { weight: 2, arbitrary: fc.array(plain, { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(plain, odd), { minLength: 3, maxLength: 5 }) },
);
const newline = fc.constantFrom("\n", "\r\n");
const tail = fc.tuple(fc.array(line, { maxLength: 12 }), newline, fc.constantFrom("", "\n", "\r\n", "\n\n"));
const options = fc.constantFrom<CsvOptions>(
  {},
  { missing: ["NaN", "1"] },
  {
    onlyDeclared: true,
    columns: ["a", "b", "d"].map((name) => ({ name, type: "number", missingAllowed: false })),
  },
  { columns: [{ name: "c", type: "number" }], exclude: ["a"] },
  { columns: [{ name: "a", type: "category" }], timestamp: "d" },
);

function readInChunks(bytes: Uint8Array, size: number, how: CsvOptions): CsvResult {
  const reader = new CsvReader(how);
  for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size));
  return reader.finish();
}

describe("ByteRows", () => {
  it("returns the same rows and issues as the text reader, to the bit, for any chunk sizes", () => {
    fc.assert(
      fc.property(
        newline,
        tail,
        options,
        fc.integer({ min: 50_000, max: 500_000 }),
        (ends, [rows, end, last], how, size) => {
          const text = head(ends) + rows.map((cells) => cells.join(",")).join(end) + last;
          expect(readInChunks(encoder.encode(text), size, how)).toEqual(parseCsv(text, how));
        },
      ),
      { numRuns: 20 },
    );
  });

  it("does so with a decimal comma and in a one-column file", () => {
    const numbers = Array.from({ length: 40_000 }, (_, row) => `${row},25;${row % 5 === 0 ? "" : row}`);
    const text = `a;b\n${numbers.join("\n")}\n1.5;x\n`;
    expect(readInChunks(encoder.encode(text), 99_999, {})).toEqual(parseCsv(text));
    const single = `a\n${Array.from({ length: 90_000 }, (_, row) => (row % 9 === 0 ? " " : row)).join("\n")}\n\n5\n\n`;
    expect(readInChunks(encoder.encode(single), 99_999, {})).toEqual(parseCsv(single));
  });

  it("stops at invalid bytes with the text reader's position and message", () => {
    const before = encoder.encode(`${head("\n")}1,2,é,4\n5,6,`);
    for (const [bad, code] of [
      [[0xff], "invalid_encoding"],
      [[0], "nul_character"],
    ] as const) {
      const bytes = new Uint8Array([...before, ...bad, ...encoder.encode("x,7\n1,2,3,4\n")]);
      const result = readInChunks(bytes, 70_001, {});
      expect(result.rowCount).toBe(firstRows.length + 1);
      expect(result.issues).toMatchObject([{ code, row: firstRows.length + 2 }]);
      expect(result.issues[0]!.message).toMatch(new RegExp(`(byte|offset) ${before.length}\\b`));
    }
  });
});
