import fc from "fast-check";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { naughtyTexts } from "#testing/hostile-texts";

type Column = "day" | "temp" | "wind" | "demand" | "city";
export const columns: readonly Column[] = ["day", "temp", "wind", "demand", "city"];

const cells: Record<Column, (row: number) => string> = {
  day: (row) => new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10),
  temp: (row) => String(10 * Math.sin(row)),
  wind: (row) => String(row % 7),
  demand: (row) => String(30 * Math.sin(row) + 2 * (row % 7) + 1),
  city: (row) => ["Bonn", "Köln", ""][row % 3]!,
};

function tableOf(names: readonly Column[], rows: number, from: number): string[][] {
  return Array.from({ length: rows }, (_, row) => names.map((name) => cells[name](row + from)));
}

const oddCell = fc.constantFrom("", "NA", "1e400", "1,5", "-0", "2024-02-30", ...naughtyTexts.slice(0, 60));

const someColumns: fc.Arbitrary<readonly Column[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly Column[]>(["temp", "wind", "demand"]) },
  { weight: 3, arbitrary: fc.constant(columns) },
  { weight: 1, arbitrary: fc.subarray<Column>([...columns], { minLength: 1 }) },
);

/** CSV for the projects of the run, sometimes with an odd cell, or with missing or surplus columns. */
const csvText = fc
  .record({
    columns: someColumns,
    rows: fc.oneof(
      { weight: 1, arbitrary: fc.nat(2) },
      { weight: 4, arbitrary: fc.integer({ min: 3, max: 60 }) },
    ),
    from: fc.constantFrom(0, 0, 30, 60),
    odd: fc.option(fc.record({ row: fc.nat(60), column: fc.nat(4), text: oddCell }), { freq: 4 }),
    dialect: fc.constantFrom([",", "\n"], [";", "\r\n"], ["\t", "\n"]),
  })
  .map(({ columns: names, rows, from, odd, dialect: [separator, end] }) => {
    const table = tableOf(names, rows, from);
    const line = odd === null ? undefined : table[odd.row];
    if (odd !== null && line !== undefined) line[odd.column % line.length] = odd.text;
    return [names, ...table].map((parts) => parts.join(separator)).join(end);
  });

/** Damages a file at one place: cuts it off there (0), inserts a byte (1) or replaces one (2). */
const damage = (file: Buffer, at: number, byte: number, how: number): Buffer => {
  const place = file.length === 0 ? 0 : at % file.length;
  if (how === 0) return file.subarray(0, place);
  const rest = file.subarray(how === 1 ? place : place + 1);
  return Buffer.concat([file.subarray(0, place), Buffer.of(byte), rest]);
};
const damaged = (file: fc.Arbitrary<Buffer>) =>
  fc.oneof(
    { weight: 5, arbitrary: file },
    {
      weight: 1,
      arbitrary: fc
        .tuple(file, fc.nat(5_000), fc.nat(255), fc.nat(2))
        .map(([bytes, at, byte, how]) => damage(bytes, at, byte, how)),
    },
  );

/** Daily rows, enough for a training. */
export const seriesFile = Buffer.from([columns, ...tableOf(columns, 40, 0)].join("\n"));

export const csvFile = damaged(csvText.map((text) => Buffer.from(text)));

/** Linear model: 3 temp + 2 wind + 1. */
const onnx = linearToOnnx(
  { kind: "linear", coefficients: Float64Array.of(3, 2), intercept: 1, means: Float64Array.of(0, 0) },
  {},
);
export const modelFile = damaged(fc.constant(Buffer.from(onnx)));

/** Encodes a file in base64, sometimes with the last character missing or in the URL-safe alphabet. */
export const encoded = (file: fc.Arbitrary<Buffer>) =>
  fc.tuple(file, fc.nat(19)).map(([bytes, how]) => {
    const text = bytes.toString(how === 1 ? "base64url" : "base64");
    return how === 0 ? text.slice(0, -1) : text;
  });
