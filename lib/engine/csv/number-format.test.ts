import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberReader, proposeNumberFormat } from "./number-format.ts";
import { parseCsv } from "./parse.ts";
import { unitOf } from "./units.ts";

const unit = fc.constantFrom(null, "$", "€", "%", "kg", "km/h", "CHF", "m²");
const marks = fc
  .tuple(
    fc.constantFrom<"." | ",">(".", ","),
    fc.constantFrom<"." | "," | " " | "'" | null>(".", ",", " ", "'", null),
  )
  .filter(([decimalMark, groupMark]) => decimalMark !== groupMark);

describe("numberReader", () => {
  it("reads every number back that is written in the format", () => {
    fc.assert(
      fc.property(
        unit,
        marks,
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.nat(3),
        fc.boolean(),
        (text, [decimalMark, groupMark], cents, digits, isBefore) => {
          const value = cents / 10 ** digits;
          const [whole, fraction] = Math.abs(value).toFixed(digits).split(".");
          const grouped = groupMark === null ? whole! : whole!.replaceAll(/\B(?=(\d{3})+$)/g, groupMark);
          const number = fraction === undefined ? grouped : grouped + decimalMark + fraction;
          const sign = value < 0 ? "-" : "";
          const written =
            text === null ? sign + number : isBefore ? `${sign}${text}${number}` : `${sign}${number} ${text}`;
          const read = numberReader({ unit: text, decimalMark, groupMark });
          expect(read(written)).toBe(value);
          expect(read(`(${written.replace("-", "")})`)).toBe(-Math.abs(value));
        },
      ),
    );
  });
});

describe("proposeNumberFormat", () => {
  it.each([
    [["$5.00", "$1,234.50"], { unit: "$", decimalMark: ".", groupMark: "," }],
    [["5,00 €", "1.234,50 €"], { unit: "€", decimalMark: ",", groupMark: "." }],
    [["1.234 €", "12 €"], { unit: "€", decimalMark: ",", groupMark: "." }],
    [["5%", "12.5 %"], { unit: "%", decimalMark: ".", groupMark: null }],
    [["1,234", "12"], { unit: null, decimalMark: ".", groupMark: "," }],
    [["1,5", "12"], { unit: null, decimalMark: ",", groupMark: null }],
    [["1 234,5", "12"], { unit: null, decimalMark: ",", groupMark: " " }],
    [["(1.5)", "2"], { unit: null, decimalMark: ".", groupMark: null }],
    [["\u22121.5", "2"], { unit: null, decimalMark: ".", groupMark: null }],
  ] as const)("reads %j", (texts, format) => {
    expect(proposeNumberFormat(texts)).toEqual(format);
  });

  it("proposes nothing that reads only half of the texts", () => {
    expect(proposeNumberFormat(["a", "b", "$5"])).toBeNull();
  });
});

describe("unitOf", () => {
  it.each([
    ["$5", "$"],
    ["US$ 5", "US$"],
    ["5%", "%"],
    ["1.234,50 €", "€"],
    ["12 km/h", "km/h"],
    ["-3°C", "°C"],
    ["(5 kg)", "kg"],
  ])("finds the unit of %s", (text, found) => {
    expect(unitOf(text)).toBe(found);
  });

  it.each(["5", "A1", "Level 5", "Q1", "18-24", "65+", "1e", "7 PM", "10:30", "USW00012345", "1/2", "abc"])(
    "finds none in %s",
    (text) => {
      expect(unitOf(text)).toBeNull();
    },
  );
});

it("proposes formats and missing texts for the columns of a file, and warns about mixed units", () => {
  const { columns, warnings } = parseCsv("a,b,c\n$5,1,5 kg\n$7,N/A,500 g\n$9,3,2 l\n");
  expect(columns).toMatchObject([
    { name: "a", type: "number", numberFormat: { unit: "$" } },
    { name: "b", type: "number", missingTexts: ["N/A"] },
    { name: "c", type: "category" },
  ]);
  expect(columns[1]).not.toHaveProperty("numberFormat");
  expect(warnings).toContainEqual(expect.objectContaining({ code: "numbers_as_texts", column: "c" }));
});
