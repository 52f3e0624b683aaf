import fc from "fast-check";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { bytesOf, type CsvOptions } from "#lib/engine/csv/options";
import { readParquet } from "./read-parquet.ts";

/** Enough rows that most are read after the types are known, and after the first characters that are read as text. */
const ROWS = 20_000;

const numbers = fc.oneof(
  fc.constantFrom(-0, 0.1, 1.056, 985, 1985, 2 ** 53 + 2, 1e21, Number.NaN, Number.POSITIVE_INFINITY, -9999),
  fc.double(),
  fc.integer({ min: -1_000, max: 1_000 }),
);
const texts = fc.constantFrom("a", "1,5", "7", "Möwe", '"', "=1+1", "line\nbreak", " x ", "NA", "true");

/** Values of a column by row: the common one, and others in a few rows. */
const columnOf = <T>(common: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc
    .tuple(common, fc.array(fc.tuple(fc.nat(ROWS - 1), fc.option(rare)), { maxLength: 12 }))
    .map(([value, others]) => {
      const data: (T | null)[] = Array.from({ length: ROWS }, () => value);
      for (const [row, other] of others) data[row] = other;
      return data;
    });
const finite = fc.oneof(fc.integer({ min: -2_000, max: 2_000 }), fc.constantFrom(0.5, 1.056, -9999));
const columns = fc.record({
  y: columnOf(finite, numbers),
  other: columnOf(finite, numbers),
  name: columnOf(texts, texts),
  day: columnOf(
    fc.constant(new Date(0)),
    fc.date({ min: new Date(-1e12), max: new Date(4e12), noInvalidDate: true }),
  ),
});
const options: CsvOptions[] = [
  {},
  { skipRows: [1, 7_000, 15_000] },
  { missing: ["-9999", "NA"] },
  { categories: ["other"], exclude: ["day"] },
  { columns: [{ name: "y", type: "number", missingAllowed: false }], onlyDeclared: true, target: "y" },
];

it("has the same cells, issues and warnings as the CSV of its rows", () => {
  fc.assert(
    fc.property(columns, fc.constantFrom(...options), (data, chosen) => {
      const columnData: ColumnSource[] = [
        { name: "y", data: data.y, type: "DOUBLE" },
        { name: "other", data: data.other, type: "DOUBLE" },
        { name: "name", data: data.name, type: "STRING" },
        { name: "day", data: data.day, type: "TIMESTAMP" },
      ];
      const file = new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 9_000 }));
      const [cells, lines] = [new CsvReader(chosen), new CsvReader(chosen)];
      for (const chunk of readParquet(file, () => {})) {
        cells.push(chunk);
        lines.push(bytesOf(chunk)!);
      }
      expect(cells.finish()).toEqual(lines.finish());
    }),
    { numRuns: Number(process.env.PARQUET_RUNS ?? 20) },
  );
});
