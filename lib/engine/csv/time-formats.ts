import { TIME_FORMATS, type TimeFormatName } from "#lib/contract/reading";
import { dayMs } from "#lib/engine/time/day-ms";
import {
  compact,
  decimalYear,
  epoch,
  fiscalYear,
  joinedWeek,
  matcher,
  namedMonth,
  readIso,
  SEPARATOR,
  spreadsheetDay,
  weekYear,
} from "./time-readers.ts";
import { type DateOrder, readIsoText } from "./timestamps.ts";

/** Step between two values of a format that has no time of day; `time` for the others. */
export type TimeUnit = "year" | "quarter" | "month" | "week" | "day" | "time";

/** One way to write times. */
export type TimeFormat = {
  name: TimeFormatName;
  unit: TimeUnit;
  /** A text in this format, for messages. */
  example: string;
  /** Returns the clock time as if in UTC, in milliseconds. Returns NaN for other texts. */
  read: (text: string) => number;
  order?: DateOrder;
  /** Whether the values are instants, which no time zone changes. */
  isZoned?: boolean;
  /** Chosen only if no other format reads the column. */
  isFallback?: boolean;
  /** Few digits, which other forms may have as well: chosen only if the values are a series. */
  isShort?: boolean;
  /** Never chosen without an option. */
  mustAsk?: boolean;
};

type Row = Omit<TimeFormat, "name">;

const TABLE: Record<TimeFormatName, Row> = {
  iso: { unit: "time", example: "2024-03-31 or 2024-03-31T14:00:00Z", read: (text) => readIso(text).ms },
  "month-day-year": {
    unit: "day",
    example: "3/31/2024",
    order: "month-first",
    read: matcher(`{M}${SEPARATOR}{D}\\k<sep>{Y}{T}`),
  },
  "day-month-year": {
    unit: "day",
    example: "31.3.2024",
    order: "day-first",
    read: matcher(`{D}${SEPARATOR}{M}\\k<sep>{Y}{T}`),
  },
  "YY-MM-DD": { unit: "day", example: "24/03/31", read: matcher(`{YY}${SEPARATOR}{M}\\k<sep>{D}{T}`) },
  "month-year": { unit: "month", example: "03/2024", read: matcher("{M}[/.-]{YYYY}") },
  "week-year": {
    unit: "week",
    example: "13/2024 or 2024 W13",
    isFallback: true,
    isShort: true,
    read: weekYear,
  },
  "month-name": { unit: "time", example: "31 March 2024 or Mar 2024", read: namedMonth },
  "fiscal-year": { unit: "year", example: "2023/24", read: fiscalYear },
  year: {
    unit: "year",
    example: "2024",
    read: (text) => (/^(?:1[5-9]|2[0-4])\d\d$|^2500$/.test(text) ? dayMs(Number(text), 1, 1) : Number.NaN),
  },
  "decimal-year": { unit: "month", example: "2024.25", read: decimalYear },
  YYYYMM: { unit: "month", example: "202403", read: compact("{YYYY}{MM}") },
  YYYYWW: { unit: "week", example: "202413", isShort: true, read: compact("{YYYY}{WW}") },
  "YYYYWW-US": {
    unit: "week",
    example: "202413",
    isFallback: true,
    isShort: true,
    read: compact("{YYYY}{WW}", true),
  },
  YYYYQ: { unit: "quarter", example: "20241", read: compact("{YYYY}(?:0|[-/:])?{Q}") },
  YYYYDDD: { unit: "day", example: "2024091", read: compact("{YYYY}{DDD}") },
  YYYYMMDD: { unit: "day", example: "20240331", read: compact("{YYYY}{MM}{DD}") },
  DDMMYYYY: { unit: "day", example: "31032024", read: compact("{DD}{MM}{YYYY}") },
  MMDDYYYY: { unit: "day", example: "03312024", read: compact("{MM}{DD}{YYYY}") },
  YYYYMMDDHH: { unit: "time", example: "2024033114", read: compact("{YYYY}{MM}{DD}{HH}") },
  YYYYMMDDHHMI: { unit: "time", example: "202403311405", read: compact("{YYYY}{MM}{DD}{HH}{MI}") },
  YYYYMMDDHHMISS: { unit: "time", example: "20240331140500", read: compact("{YYYY}{MM}{DD}{HH}{MI}{SS}") },
  YYMM: { unit: "month", example: "2403", isShort: true, read: compact("{YY}{MM}") },
  YYWW: { unit: "week", example: "2413", isShort: true, read: compact("{YY}{WW}") },
  YYMMDD: { unit: "day", example: "240331", isShort: true, read: compact("{YY}{MM}{DD}") },
  DDMMYY: { unit: "day", example: "310324", isShort: true, read: compact("{DD}{MM}{YY}") },
  MMDDYY: { unit: "day", example: "033124", isShort: true, read: compact("{MM}{DD}{YY}") },
  "epoch-seconds": {
    unit: "time",
    example: "1711893600",
    isZoned: true,
    read: epoch(1000),
  },
  "epoch-milliseconds": { unit: "time", example: "1711893600000", isZoned: true, read: epoch(1) },
  "spreadsheet-days": { unit: "time", example: "45382", mustAsk: true, read: spreadsheetDay },
  "year+month": { unit: "month", example: "2024 3", read: matcher("{YYYY} {M}", "{YYYY} {N}") },
  "year+quarter": { unit: "quarter", example: "2024 1", read: matcher("{YYYY} (?:Q|T)?{Q}") },
  "year+week": { unit: "week", example: "2024 13", read: (text) => joinedWeek(text) },
  "year+week-US": {
    unit: "week",
    example: "2024 13",
    isFallback: true,
    read: (text) => joinedWeek(text, true),
  },
  "year+day-of-year": { unit: "day", example: "2024 91", isFallback: true, read: matcher("{YYYY} {O}") },
  "year+month+day": { unit: "day", example: "2024 3 31", read: matcher("{YYYY} {M} {D}", "{YYYY} {N} {D}") },
  "year+month+day+hour": {
    unit: "time",
    example: "2024 3 31 14",
    read: matcher("{YYYY} {M} {D} (?<t>\\d.*)", "{YYYY} {N} {D} (?<t>\\d.*)"),
  },
};

const all = TIME_FORMATS.map((name): TimeFormat => ({ name, ...TABLE[name] }));
const byName = new Map(all.map((format) => [format.name, format]));

export const timeFormat = (name: TimeFormatName): TimeFormat => byName.get(name)!;

/** Formats of one column, and formats of several columns whose texts are joined by blanks. */
const single = all.filter(({ name }) => !name.includes("+"));
const joined = all.filter(({ name }) => name.includes("+"));

const TEXT_MAX = 64;
/** Hours of a day, also from 1 to 24. As seconds since 1970, such numbers are in 2030 to 2036. */
const HOUR_OF_DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-4])$/;

/** Returns the formats that read a text; of joined columns if `isJoined`. */
export function formatsThatRead(text: string, isJoined = false): TimeFormat[] {
  if (text.length > TEXT_MAX || !/\d/.test(text)) return [];
  if (isJoined) return joined.filter(({ read }) => !Number.isNaN(read(text)));
  const isPlainIso = text.length >= 10 && /^\d{4}-\d\d-\d\d/.test(text);
  if (isPlainIso && !Number.isNaN(readIsoText(text).ms)) return [timeFormat("iso")];
  const found = single.filter(({ read }) => !Number.isNaN(read(text)));
  return HOUR_OF_DAY.test(text) ? found.filter(({ name }) => name !== "epoch-seconds") : found;
}

/** Lists the accepted forms for a message. */
export const acceptedForms = single
  .filter(({ name, mustAsk }) => !mustAsk && name !== "YYYYWW-US")
  .map(({ example }) => example)
  .join(", ");
