import type { Choice } from "#lib/contract/reading";
import { monthNumber } from "#lib/engine/time/month-names";
import { type CsvWarning, shorten } from "../issues.ts";
import { formatsThatRead, type TimeFormat } from "../time-formats.ts";

/** Columns of times that make a table wide, and of months or quarters beside a column of years. */
const TIMES_MIN = 3;
const PARTS_MIN = 2;
/** Text that may be a time: a year, or a short one beside a month. Other names are not matched with all formats. */
const MAYBE_TIME =
  /(?:1[6-9]|20|21)\d\d|^\d{1,2}([/.])\d{1,2}\1\d\d$|^\p{L}{3,10}\.?[-/ ']\d\d$|^\d{1,2}[-/. ]\p{L}{3,10}/u;
const PART = /^(?:\p{L}{3,10}\.?|[QT][1-4])$/u;
/** A year that stands before the part of a time, to read the part. */
const ANY_YEAR = "2000";
const isYear = (cell: string) => /^(?:1[6-9]|20|21)\d\d$/.test(cell.trim());

function formatsOf(name: string): TimeFormat[] {
  return MAYBE_TIME.test(name)
    ? formatsThatRead(name).filter(({ mustAsk, isZoned }) => !mustAsk && !isZoned)
    : [];
}

/** Returns the formats that read the name of a column, such as `Jan` or `Q1`, as a part of a year. */
function partsOf(name: string): TimeFormat[] {
  if (!PART.test(name) || (name.length > 2 && Number.isNaN(monthNumber(name)))) return [];
  return formatsThatRead(`${ANY_YEAR} ${name}`, true);
}

/** Returns whether the name of a column is a time, or a part of a year. */
export const isWideTime = (name: string): boolean => formatsOf(name).length > 0 || partsOf(name).length > 0;

type Found = { format: TimeFormat; places: number[]; values: number[] };

/** Returns the format that reads most names as times in order, with their places. */
function mostRead(
  header: readonly string[],
  formats: (name: string) => TimeFormat[],
  year = "",
): Found | null {
  const found = new Map<string, Found>();
  header.forEach((name, place) => {
    for (const format of formats(name)) {
      const one = found.get(format.name) ?? { format, places: [], values: [] };
      one.places.push(place);
      one.values.push(format.read(year + name));
      found.set(format.name, one);
    }
  });
  const isOrdered = ({ values }: Found) =>
    values.every((value, at) => at === 0 || value > values[at - 1]!) ||
    values.every((value, at) => at === 0 || value < values[at - 1]!);
  const wide = [...found.values()].filter(
    (one) => one.places.length >= (year === "" ? TIMES_MIN : PARTS_MIN) && isOrdered(one),
  );
  return wide.reduce<Found | null>(
    (most, one) => (one.places.length > (most?.places.length ?? 0) ? one : most),
    null,
  );
}

/** Returns the place of the column beside the times whose cells all pass a test. */
function columnOf(
  rows: readonly (readonly string[])[],
  others: readonly number[],
  test: (cell: string) => boolean,
): number | null {
  return others.find((place) => rows.length > 0 && rows.every((row) => test(row[place] ?? ""))) ?? null;
}

/**
 * Warns about a table whose columns are times, such as months, with the options that turn them into rows.
 *
 * @param rows first rows of the file
 */
export function wideWarning(header: readonly string[], rows: readonly (readonly string[])[]): CsvWarning[] {
  const sample = rows.filter((row) => row.length === header.length).slice(0, 100);
  const whole = mostRead(header, formatsOf);
  const parts = mostRead(header, partsOf, `${ANY_YEAR} `);
  const found = (whole?.places.length ?? 0) >= (parts?.places.length ?? 0) ? whole : parts;
  if (found === null || found.places.length * 2 < header.length - 1 - found.places.length) return [];
  const others = [...header.keys()].filter((place) => !found.places.includes(place));
  const timestamp = timestampOf(found, { header, sample, others, isPart: found === parts });
  if (timestamp === null) return [];
  const times = found.places.map((place) => header[place]!);
  const valueName = freeName("value", header);
  // Columns behind the times are mostly their sums or means.
  const behind = others.filter((place) => place > found.places.at(-1)!).map((place) => header[place]!);
  const shape = { kind: "wide", times, valueName };
  const options = {
    shape,
    timestamp,
    target: valueName,
    ...(behind.length > 0 && { exclude: behind }),
  };
  const label = `Turn ${times.length} columns into rows`;
  const [first = []] = sample;
  const cells = found.places.slice(0, 2).map((place) => ({
    row: 1,
    text: `${header[place]}: ${shorten(first[place] ?? "")}`,
    reading: `${timestamp.map((name) => first[header.indexOf(name)] ?? header[place]).join(" ")}, ${shorten(first[place] ?? "")}`,
  }));
  const choices: Choice[] = [{ label, options, cells }];
  const shown = { shape: { ...shape, times: [...times.slice(0, 2), "…"] }, timestamp, target: valueName };
  const message = `${times.length} columns are times, from "${times[0]}" to "${times.at(-1)}", so that each row holds several times. To read one row for each time, send \`shape\`, such as ${JSON.stringify(shown)}.`;
  return [{ code: "wide_table", column: null, message, choices }];
}

/** Returns the columns of the time of the long table, or null if the year of parts is in no column. */
function timestampOf(
  { format }: Found,
  {
    header,
    sample,
    others,
    isPart,
  }: { header: readonly string[]; sample: readonly (readonly string[])[]; others: number[]; isPart: boolean },
): string[] | null {
  if (isPart) {
    const year = columnOf(sample, others, isYear);
    return year === null ? null : [header[year]!, freeName(format.unit, header)];
  }
  const part =
    format.unit === "year" ? columnOf(sample, others, (cell) => partsOf(cell.trim()).length > 0) : null;
  return part === null ? [freeName("time", header)] : [freeName("year", header), header[part]!];
}

const freeName = (name: string, header: readonly string[]): string =>
  header.includes(name) ? freeName(`${name} 2`, header) : name;
