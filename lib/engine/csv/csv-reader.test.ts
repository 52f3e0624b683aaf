import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvReader } from "./csv-reader.ts";
import type { CsvOptions } from "./options.ts";
import { parseCsv } from "./parse.ts";

const encoder = new TextEncoder();

/** Bits of CSV, whole and broken, that meet at every kind of boundary. */
const bit = fc.oneof(
  fc.constantFrom(
    ",",
    ";",
    "\t",
    "\n",
    "\r\n",
    "\r",
    '"',
    '""',
    '"a,b"',
    "a",
    "b",
    "temp",
    "é",
    "€",
    "😀",
    " ",
    "\0",
  ),
  fc.constantFrom(
    "1",
    "2.5",
    "-3",
    "1,5",
    "NaN",
    "0x1F",
    "1e400",
    "true",
    "2024-01-31",
    "1/2/2024",
    "31/1/2024",
  ),
);
const rough = fc.array(bit, { maxLength: 60 }).map((bits) => encoder.encode(bits.join("")));
const cell = fc.constantFrom(
  "1",
  "2.5",
  "",
  "x",
  "2024-01-01",
  "13/1/2024",
  "true",
  '"q,""r"\n"',
  "NaN",
  "é",
);
const regular = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(",", ";", "|"), fc.constantFrom("\n", "\r\n", "\r"))
  .chain(([width, delimiter, newline]) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 15 }).map((rows) => {
      const header = Array.from({ length: width }, (_, index) => `c${index}`);
      return encoder.encode([header, ...rows].map((row) => row.join(delimiter)).join(newline));
    }),
  );
const file = fc.oneof(
  regular,
  rough,
  fc.tuple(rough, fc.uint8Array({ maxLength: 4 })).map(([a, b]) => new Uint8Array([...a, ...b])),
);

function readInChunks(bytes: Uint8Array, sizes: readonly number[], options: CsvOptions) {
  const reader = new CsvReader(options);
  let from = 0;
  for (let i = 0; from < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length;
    reader.push(bytes.subarray(from, from + size));
    from += size;
  }
  return reader.finish();
}

describe("CsvReader", () => {
  it("returns the same result for any chunk sizes", () => {
    const options = fc.constantFrom<CsvOptions>(
      {},
      { timestamp: "c0" },
      { columns: [{ name: "c0", type: "number" }] },
    );
    fc.assert(
      fc.property(
        file,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        options,
        (bytes, sizes, how) => {
          expect(readInChunks(bytes, sizes, how)).toEqual(parseCsv(bytes, how));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("does so for several pieces, with issues, quotes and characters across the borders", () => {
    const rows = Array.from({ length: 40_000 }, (_, row) => {
      const note = row % 7 === 0 ? `"line ${row}\nwith ""€"" and, commas"` : `plain ${row % 50}`;
      return `${row},${row % 99 === 98 ? "NaN" : row / 8},${note},${1 + (row % 12)}/${1 + (row % 28)}/2024`;
    });
    const bytes = encoder.encode(`id,value,note,day\r\n${rows.join("\r\n")}`);
    const whole = parseCsv(bytes);
    expect(whole.rowCount).toBe(40_000);
    expect([whole.issueCount, whole.issues.length]).toEqual([404, 100]);
    for (const sizes of [[65_536], [1_000_003], [7919, 1, 262_144], [bytes.length]]) {
      expect(readInChunks(bytes, sizes, {})).toEqual(whole);
    }
  });

  it("returns the complete rows of a file cut off at any place", () => {
    const lines = Array.from({ length: 60 }, (_, row) =>
      row === 40 ? `${row},"two\nlines, €"\n` : `${row},plain\n`,
    );
    const bytes = encoder.encode(`id,note\n${lines.join("")}`);
    const ends = lines.map((_, row) => encoder.encode(`id,note\n${lines.slice(0, row + 1).join("")}`).length);
    fc.assert(
      fc.property(
        fc.integer({ min: ends[0]!, max: bytes.length }),
        fc.integer({ min: 1, max: 200 }),
        (cut, size) => {
          const reader = new CsvReader();
          for (let from = 0; from < cut; from += size)
            reader.push(bytes.slice(from, Math.min(cut, from + size)));
          const result = reader.finish({ isCutOff: true });
          expect([result.rowCount, result.issueCount]).toEqual([ends.filter((end) => end <= cut).length, 0]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("returns the same result for a text and for its bytes", () => {
    fc.assert(
      fc.property(regular, (bytes) => {
        expect(parseCsv(new TextDecoder().decode(bytes))).toEqual(parseCsv(bytes));
      }),
    );
  });

  it("never throws and always returns issues or rows, for any bytes", () => {
    fc.assert(
      fc.property(fc.oneof(file, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        const result = parseCsv(bytes, { timestamp: "c0" });
        expect(result.issueCount > 0 || result.rowCount > 0).toBe(true);
        expect(result.issues.length).toBe(Math.min(100, result.issueCount));
        for (const column of result.table.columns) {
          const length = column.type === "category" ? column.codes.length : column.values.length;
          expect(length).toBe(result.rowCount);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("reports immediately that the rest is unreadable, so that an upload can stop", () => {
    const reader = new CsvReader();
    reader.push(encoder.encode('a,b\n1,"2'));
    expect(reader.failed).toBe(false);
    for (let i = 0; i < 100 && !reader.failed; i++) reader.push(new Uint8Array(1_048_576).fill(97));
    expect(reader.failed).toBe(true);
    expect(reader.finish().issues).toMatchObject([{ code: "unclosed_quote", row: 1, column: "b" }]);
  });
});
