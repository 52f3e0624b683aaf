import { limits } from "#lib/contract/limits";
import type { Reading } from "#lib/contract/reading";
import { missingColumn } from "#lib/engine/csv/cell-issues";
import { encodingNamed } from "#lib/engine/csv/encodings";
import { type CsvWarning, shorten } from "#lib/engine/csv/issues";
import type { NumberFormat } from "#lib/engine/csv/number-format";
import { type CsvOptions, type ReadingRequest, readingOptions } from "#lib/engine/csv/options";
import type { DateOrder } from "#lib/engine/csv/timestamps";
import type { SeriesOptions } from "#lib/engine/features/resample";
import { nameFinder } from "#lib/engine/names/nearest-name";
import { isTimezone } from "#lib/engine/time/timezones";
import { type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";

/** Settings for reading the file of a dataset. */
export type DatasetSettings = {
  target: string;
  /**
   * The timestamp column, or the columns of its parts. They are joined into a timestamp column with the first one's
   * name. The others stay in the data; resampling sets a column of hours to the step's hour.
   */
  timestampColumns: string[] | null;
  /** Columns whose values name the series of a row, read as categories. Null for one series. */
  seriesColumns: string[] | null;
  exclude: string[];
  categories: string[];
  /** IANA time zone of times without a zone. */
  timezone: string;
  missing: string[];
  /** Columns confirmed as known beforehand. A warning is left out if all columns that it suspects are confirmed. */
  confirmed: string[];
  numberFormats: NumberFormat[];
  /** Position of the month in dates such as 3/4/2024; null until it is set or a file shows it. */
  dateOrder: DateOrder | null;
  /** How a stored dataset was read, null if it is older than this field; for a new file, the formats that are asked for. */
  reading: Reading | ReadingRequest | null;
} & SeriesOptions;

/** Returns the column of hours that is joined to the dates, or undefined: the times may also be of a year and its parts. */
export const hoursColumn = ({ timestampColumns, reading }: DatasetSettings): string | undefined =>
  reading?.timestampFormat?.includes("+") === true ? undefined : timestampColumns?.[1];

/** Returns the number of values that a dataset's file may have. */
export const valuesMaxOf = ({ seriesColumns }: DatasetSettings): number =>
  seriesColumns === null ? limits.tableValues : limits.panelValues;

export function csvOptionsOf(settings: DatasetSettings): CsvOptions {
  const { target, timestampColumns: timestamp, timezone, missing, numberFormats, dateOrder } = settings;
  const categories = [...settings.categories, ...(settings.seriesColumns ?? [])];
  const options = { target, timestamp, timezone, categories, missing, numberFormats, dateOrder };
  return { ...options, ...readingOptions(settings.reading) };
}

/** @throws {DomainError} validation_failed with all contradictions between settings, and an unknown time zone */
export function checkSettings(settings: DatasetSettings): void {
  const { target, timestampColumns, exclude, categories, timezone } = settings;
  const details: ErrorDetail[] = [];
  const addDetail = (field: string, message: string) =>
    details.push({ field, code: "contradiction", message });
  const times = timestampColumns ?? [];
  if (times.includes(target))
    addDetail("timestamp", `"${target}" is the target; it cannot be the time as well.`);
  if (new Set(times).size < times.length) addDetail("timestamp", "The columns of the time must differ.");
  if (exclude.includes(target)) addDetail("exclude", `"${target}" is the target; it cannot be excluded.`);
  for (const name of times) {
    if (exclude.includes(name)) addDetail("exclude", `"${name}" holds the time; it cannot be excluded.`);
  }
  if (categories.includes(target))
    addDetail("categories", `"${target}" is the target; its values decide its type.`);
  if (times[0] !== undefined && categories.includes(times[0])) {
    addDetail("categories", `"${times[0]}" holds the time; it cannot be a category.`);
  }
  details.push(...seriesContradictions(settings));
  const areCategories = new Set(categories);
  const formatted = settings.numberFormats.map(({ column }) => column);
  if (new Set(formatted).size < formatted.length) addDetail("numberFormats", "Name each column once.");
  for (const name of new Set(formatted)) {
    if (areCategories.has(name))
      addDetail("numberFormats", `"${name}" is a category; it has no number format.`);
    if (times.includes(name))
      addDetail("numberFormats", `"${name}" holds the time; it has no number format.`);
  }
  for (const field of ["calendar", "resample"] as const) {
    if (times.length === 0 && settings[field] !== null)
      addDetail(field, `${field} applies to rows with times. Name the timestamp column in timestamp.`);
  }
  const encoding = settings.reading?.encoding;
  if (encoding !== undefined && encodingNamed(encoding) === null)
    addDetail(
      "encoding",
      `"${shorten(encoding)}" is not an encoding. Use one such as windows-1252 or shift_jis.`,
    );
  if (!isTimezone(timezone)) {
    details.push({
      field: "timezone",
      code: "unknown_timezone",
      message: `"${timezone}" is not an IANA time zone. Use one such as Europe/Berlin.`,
    });
  }
  requireNoIssues("validation_failed", details);
}

function seriesContradictions(settings: DatasetSettings): ErrorDetail[] {
  const { seriesColumns, target, timestampColumns, exclude, numberFormats } = settings;
  if (seriesColumns === null) return [];
  const texts = new Set<string>();
  if (timestampColumns === null)
    texts.add("Series need the times of their rows. Name the timestamp column in timestamp.");
  if (new Set(seriesColumns).size < seriesColumns.length) texts.add("Name each series column once.");
  for (const name of seriesColumns) {
    const shown = `"${shorten(name)}"`;
    if (name === target) texts.add(`${shown} is the target; it cannot name series as well.`);
    if (timestampColumns?.includes(name) === true)
      texts.add(`${shown} holds the time; it cannot name series as well.`);
    if (exclude.includes(name))
      texts.add(`${shown} is excluded. Series columns are used, so remove it from exclude.`);
    if (numberFormats.some(({ column }) => column === name))
      texts.add(`${shown} is read as a category; remove it from numberFormats.`);
  }
  return [...texts].map((message) => ({ field: "series", code: "contradiction", message }));
}

/** @throws {DomainError} validation_failed with the first 100 columns that the file lacks, and their nearest names */
export function checkColumnsExist(
  settings: DatasetSettings,
  { header, warnings = [] }: { header: readonly string[]; warnings?: readonly CsvWarning[] },
): void {
  const known = new Set(header);
  const wanted: [field: string, name: string][] = [
    ["target", settings.target],
    ...(settings.timestampColumns ?? []).map((name): [string, string] => ["timestamp", name]),
    ...(settings.seriesColumns ?? []).map((name): [string, string] => ["series", name]),
    ...settings.exclude.map((name): [string, string] => ["exclude", name]),
    ...settings.categories.map((name): [string, string] => ["categories", name]),
    ...settings.confirmed.map((name): [string, string] => ["confirmed", name]),
    ...settings.numberFormats.map(({ column }): [string, string] => ["numberFormats", column]),
    ...Object.keys(settings.reading?.columnFormats ?? {}).map((name): [string, string] => [
      "columnFormats",
      name,
    ]),
  ];
  const absent = wanted.filter(([, name]) => !known.has(name));
  const nearest = nameFinder(absent.length === 0 ? [] : header);
  const wide = warnings.find(({ code }) => code === "wide_table");
  const listed = absent.slice(0, limits.errorDetails).map(([field, column]) => {
    const found = nearest(column);
    const hint = wide === undefined ? "" : ` ${wide.message}`;
    const message = `${missingColumn(column, null, found).message} The file has ${namesOf(header)}.${hint}`;
    return {
      field,
      column,
      code: "unknown_column",
      message,
      ...(found !== null && { nearest: found }),
      ...(wide !== undefined && { choices: wide.choices }),
    };
  });
  requireNoIssues("validation_failed", listed, absent.length - listed.length);
}

const NAMES_SHOWN = 5;

/** Lists the first names of a header for a sentence. */
function namesOf(header: readonly string[]): string {
  const names = header.slice(0, NAMES_SHOWN).map((name) => `"${shorten(name)}"`);
  const more = header.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
