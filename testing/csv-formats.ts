import type { PutDataset } from "#lib/contract/dataset-requests";
import type { IssueCode } from "#lib/engine/csv/issues";

type Options = Omit<PutDataset, "fileData" | "uploadId" | "fileName" | "target">;

/** A file as people export it, with the dataset options that read it. The target is the column `y`. */
type FormatCase = { name: string; file: string; options: Options; column: string };

/** `values` of the column: numbers, texts, or times as ISO dates; null is missing. */
type ReadCase = FormatCase & { values: (number | string | null)[] };

/** The column's first issue. `message` is the end of its message. */
type UnreadableCase = FormatCase & { code: IssueCode; message: string };

/** Writes a column `x` with its cells, beside the target. */
function columnOf(cells: readonly string[]): string {
  const written = cells.map((cell) => (/[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return ["x,y", ...written.map((cell, row) => `${cell},${row + 1}`)].join("\n");
}

type Format = Omit<NonNullable<PutDataset["numberFormats"]>[number], "column">;

const numbers = (name: string, cells: string[], format: Format, values: (number | null)[]): ReadCase => ({
  name,
  file: columnOf(cells),
  column: "x",
  values,
  options: { numberFormats: [{ column: "x", ...format }] },
});

const texts = (name: string, cells: string[], options: Options, values: ReadCase["values"]): ReadCase => ({
  name,
  file: columnOf(cells),
  column: "x",
  values,
  options,
});

const bank = `Date,Description,Amount,y
01/31/2024,"RENT, JANUARY","($1,250.00)",1
02/01/2024,SALARY,"$3,480.55",2
02/02/2024,COFFEE,-$4.20,3`;
const shop = `Datum;Umsatz;y
13.01.2024;1.234,50 €;1
14.01.2024;987,00 €;2
15.01.2024;12.000 €;3`;
const survey = `age,smoker,weight,y
34,yes,70.5,1
N/A,no,?,2
51,N/A,82,3`;
const french = "jour;prix;y\n2024-01-01;1 234,50 €;1\n2024-01-02;12\u00a0345,00 €;2";
const euro = { unit: "€", decimalMark: ",", groupMark: "." } as const;

export const readCases: ReadCase[] = [
  {
    name: "a bank export",
    file: bank,
    column: "Amount",
    values: [-1250, 3480.55, -4.2],
    options: { numberFormats: [{ column: "Amount", unit: "$", groupMark: "," }], timestamp: "Date" },
  },
  {
    name: "a shop export",
    file: shop,
    column: "Umsatz",
    values: [1234.5, 987, 12000],
    options: { numberFormats: [{ column: "Umsatz", ...euro }], timestamp: "Datum" },
  },
  {
    name: "the times of a shop export",
    file: shop,
    column: "Datum",
    values: ["2024-01-13", "2024-01-14", "2024-01-15"],
    options: { numberFormats: [{ column: "Umsatz", ...euro }], timestamp: "Datum" },
  },
  {
    name: "numbers of a survey",
    file: survey,
    column: "age",
    values: [34, null, 51],
    options: { missing: ["N/A", "?"] },
  },
  {
    name: "yes and no of a survey",
    file: survey,
    column: "smoker",
    values: ["yes", "no", null],
    options: { missing: ["N/A", "?"] },
  },
  {
    name: "decimals of a survey",
    file: survey,
    column: "weight",
    values: [70.5, null, 82],
    options: { missing: ["N/A", "?"] },
  },
  {
    name: "a French price list",
    file: french,
    column: "prix",
    values: [1234.5, 12345],
    options: {
      numberFormats: [{ column: "prix", unit: "€", decimalMark: ",", groupMark: " " }],
      timestamp: "jour",
    },
  },
  numbers("dollars", ["$5", "$1,234.50", "$-3", "-$3"], { unit: "$", groupMark: "," }, [5, 1234.5, -3, -3]),
  numbers("a code before the number", ["USD 5", "USD1,000"], { unit: "USD", groupMark: "," }, [5, 1000]),
  numbers(
    "a code behind the number",
    ["5 CHF", "1'000.05 CHF", "1’000 CHF"],
    { unit: "CHF", groupMark: "'" },
    [5, 1000.05, 1000],
  ),
  numbers("accounting negatives", ["(5.00)", "7.25", "(1,000)"], { groupMark: "," }, [-5, 7.25, -1000]),
  numbers("a minus sign of typography", ["−5", "3"], {}, [-5, 3]),
  numbers("percent", ["5%", "12.5 %", "-3%"], { unit: "%" }, [5, 12.5, -3]),
  numbers("percent with a decimal comma", ["5,5 %", "12,25%"], { unit: "%", decimalMark: "," }, [5.5, 12.25]),
  numbers("percent in some rows", ["5%", "7", ""], { unit: "%" }, [5, 7, null]),
  numbers("kilograms", ["5 kg", "12.5kg", "0 kg"], { unit: "kg" }, [5, 12.5, 0]),
  numbers("degrees", ["21.5 °C", "-3 °C"], { unit: "°C" }, [21.5, -3]),
  numbers("kilometres per hour", ["80 km/h", "120 km/h"], { unit: "km/h" }, [80, 120]),
  numbers("groups of three", ["1,234", "999", "1,234,567.5"], { groupMark: "," }, [1234, 999, 1234567.5]),
  numbers("groups with points", ["1.234", "1.234.567,5", "12"], { groupMark: "." }, [1234, 1234567.5, 12]),
  numbers(
    "groups with narrow spaces",
    ["1\u202f234,5", "1\u2009000"],
    { decimalMark: ",", groupMark: " " },
    [1234.5, 1000],
  ),
  numbers("a decimal comma in quotes", ["1,5", "2,25"], { decimalMark: "," }, [1.5, 2.25]),
  numbers("plain numbers with exponents", ["1e3", "2.5"], { unit: "W" }, [1000, 2.5]),
  numbers("a unit with signs of patterns", ["5 m²/s.", "7 m²/s."], { unit: "m²/s." }, [5, 7]),
  texts("NA, N/A and a dash", ["1", "NA", "N/A", "-"], { missing: ["NA", "N/A", "-"] }, [
    1,
    null,
    null,
    null,
  ]),
  texts("an own mark", ["1", "n.a.", "3"], { missing: ["n.a."] }, [1, null, 3]),
  texts("a number as a mark", ["1", "-999", "3"], { missing: ["-999"] }, [1, null, 3]),
  texts("a mark among texts", ["Bonn", "?", "Köln"], { missing: ["?"] }, ["Bonn", null, "Köln"]),
  texts("a mark as a category, if it is not named", ["Bonn", "?", "Köln"], {}, ["Bonn", "?", "Köln"]),
  texts("mixed units as texts", ["500 g", "1 kg", "2 l"], {}, ["500 g", "1 kg", "2 l"]),
  texts("numbers with units as texts, if declared", ["5 kg", "7 kg"], { categories: ["x"] }, [
    "5 kg",
    "7 kg",
  ]),
  texts("dates with the day first", ["1/2/2011", "3/4/2011"], { dateOrder: "day-first" }, [
    "2011-02-01",
    "2011-04-03",
  ]),
  texts("dates with the month first", ["1/2/2011", "3/4/2011"], { dateOrder: "month-first" }, [
    "2011-01-02",
    "2011-03-04",
  ]),
];

const rejected = (
  name: string,
  cells: string[],
  code: IssueCode,
  message: string,
  format?: Format,
): UnreadableCase => ({
  name,
  file: columnOf(cells),
  column: "x",
  code,
  message,
  options: format === undefined ? {} : { numberFormats: [{ column: "x", ...format }] },
});

const unit =
  "has a currency or unit. Write a plain number, or name the format of the column in the dataset's numberFormats (or the column in its categories, to keep texts).";
const point =
  "must use a point as decimal mark and no digit grouping, unless the dataset's numberFormats name the format of the column.";
const missing =
  "is not a number. To read it as a missing value, add it to the dataset's missing values (`missing`).";
const format = (text: string) => `is not a number in the format of the column: ${text}.`;
const dollars = 'unit "$", decimal mark "." and digit grouping ","';
const inDollars = { unit: "$", groupMark: "," } as const;

export const unreadableCases: UnreadableCase[] = [
  {
    name: "a bank export",
    file: bank,
    column: "Amount",
    code: "number_with_unit",
    message: unit,
    options: {},
  },
  {
    name: "a shop export",
    file: shop,
    column: "Umsatz",
    code: "number_with_unit",
    message: unit,
    options: {},
  },
  { name: "a survey", file: survey, column: "age", code: "not_a_number", message: missing, options: {} },
  {
    name: "a French price list",
    file: french,
    column: "prix",
    code: "number_with_unit",
    message: unit,
    options: {},
  },
  rejected("dollars", ["$5", "$7"], "number_with_unit", unit),
  rejected("dollars with groups", ["$1,234", "$7"], "number_with_unit", unit),
  rejected("euros behind the number", ["5,00 €", "7 €"], "number_with_unit", unit),
  rejected("a currency code", ["USD 5", "USD 7"], "number_with_unit", unit),
  rejected("accounting negatives with a currency", ["($5.00)", "$7"], "number_with_unit", unit),
  rejected("percent", ["5%", "7%"], "number_with_unit", unit),
  rejected("percent in a minority of rows", ["5", "7%", "8"], "number_with_unit", unit),
  rejected("kilograms", ["5 kg", "7 kg"], "number_with_unit", unit),
  rejected("degrees", ["5°C", "7°C"], "number_with_unit", unit),
  rejected("groups with commas", ["1,234", "5"], "digit_grouping", point),
  rejected("groups with points and a comma", ["1.234,5", "5"], "digit_grouping", point),
  rejected("groups with spaces", ["1 234", "5"], "digit_grouping", point),
  rejected("groups with typographic apostrophes", ["1’234", "5"], "digit_grouping", point),
  rejected("a decimal comma", ["1,5", "2,5"], "digit_grouping", point),
  rejected("N/A among numbers", ["1", "N/A", "3"], "not_a_number", missing),
  rejected("a question mark among numbers", ["1", "?", "3"], "not_a_number", missing),
  rejected("a dash among numbers", ["1", "-", "3"], "not_a_number", missing),
  rejected("mostly N/A", ["N/A", "N/A", "N/A", "3"], "not_a_number", missing),
  rejected("another unit", ["$5", "€7"], "number_with_unit", format(dollars), inDollars),
  rejected("two units", ["$5$", "$7"], "not_a_number", format(dollars), inDollars),
  rejected("two signs", ["-$-5", "$7"], "number_with_unit", format(dollars), inDollars),
  rejected("an open parenthesis", ["($5", "$7"], "number_with_unit", format(dollars), inDollars),
  rejected("groups of two", ["$1,23", "$7"], "number_with_unit", format(dollars), inDollars),
  rejected(
    "a point in a column with a decimal comma",
    ["1.5", "2,5"],
    "digit_grouping",
    format('no unit, decimal mark "," and no digit grouping'),
    { decimalMark: "," },
  ),
  rejected("NaN in a column with a format", ["$5", "NaN"], "not_finite", format(dollars), inDollars),
  {
    name: "a date against the order",
    file: columnOf(["1/13/2011", "3/4/2011"]),
    column: "x",
    code: "invalid_date",
    options: { dateOrder: "day-first" },
    message: "is not a valid date in the format day-month-year.",
  },
];
