import { civilDate } from "#lib/engine/time/calendar";
import type { Growing } from "./growing.ts";
import { month, quarter, week } from "./propose-parts.ts";
import type { TimeFormat, TimeUnit } from "./time-formats.ts";

const DAY_MS = 86_400_000;

/** A way to read a column of times, with the value that it gives each row; NaN for a missing value. */
export type Candidate = { format: TimeFormat; values: Growing<Float64Array<ArrayBuffer>> };

/** `rivals` are the readings that are equally plausible, two or more, or one that needs an option. */
export type Resolved = { chosen: Candidate; rivals: Candidate[] };

/** Words in the names of columns that show the step of their values. */
const UNIT_WORDS: [TimeUnit, RegExp][] = [
  ["month", month.name],
  ["week", week.name],
  ["quarter", quarter.name],
  ["day", /^(day|date|tag|datum|jour|giorno|d[ií]a|dag|data|fecha)$|day.?of|yyyymmdd/i],
  [
    "year",
    /year|jahr|ann[ée]e|jaar|yyyy|(?<!\p{L})(?:an|a[ñn]o|anno|yrs?|fy|[åa]r|ro[kč]|év|vuosi)(?!\p{L})/iu,
  ],
];

/** Periods whose names in the header show that the values are no other periods. */
const PERIODS = new Set<TimeUnit>(["week", "month", "quarter"]);
/** Years after this one are asked for: they may be weeks, such as 2301. */
const LAST_YEAR_MS = Date.UTC(2101, 0, 1);
/** A month and two digits, which may be a year or a day. */
const MONTH_AND_DIGITS = /^\p{L}+\.?[-/ ']\d\d$/u;

/**
 * Decides how a column of times is read, from all ways that read every value. The columns' names decide first, if they
 * name the step, then the step: a way is plausible only if its values are mostly one step apart. Without a plausible
 * way, or with several, the column is ambiguous.
 *
 * @param text a cell of the column
 */
export function resolveTimes(
  candidates: readonly Candidate[],
  names: readonly string[],
  text: string,
): Resolved {
  let left = candidates.filter((one, at) => !candidates.slice(0, at).some((other) => areEqual(one, other)));
  const narrow = (keep: (one: Candidate) => boolean) => {
    const kept = left.length > 1 ? left.filter(keep) : left;
    if (kept.length > 0) left = kept;
  };
  const named = UNIT_WORDS.find(([, words]) => words.test(names.at(-1)!));
  if (named !== undefined) narrow(({ format }) => format.unit === named[0]);
  narrow(({ format }) => format.isFallback !== true);
  narrow(({ format }) => format.name !== "YYWW" || !areLikelyYears(left));
  // From 1 to 4, quarters have steps and months have gaps, but seasons have such months.
  const areQuarters = left.some(({ format }) => format.name === "YYYYQ");
  if (!areQuarters) narrow((one) => hasSteps(one));
  narrow((one) => one.format.isShort !== true || isInOrder(one) || isInOrder(one, -1));
  narrow((one) => one.format.name !== "YY-MM-DD" || isInOrder(one));
  narrow(({ format }) => format.mustAsk !== true);
  // As months, such years would be 13 months apart.
  narrow(({ format, values }) => format.name === "fiscal-year" && new Set(values.view()).size > 2);
  const [chosen] = left;
  const mustAsk = isDoubtful(chosen!, named?.[0], text);
  return { chosen: chosen!, rivals: left.length > 1 || mustAsk ? left : [] };
}

/** Returns whether the only way to read a column is not plausible enough to be used without an option. */
function isDoubtful(one: Candidate, named: TimeUnit | undefined, text: string): boolean {
  const { name, unit, mustAsk, isZoned, isShort } = one.format;
  if (mustAsk === true || (isZoned === true && !isSeries(one))) return true;
  if (isShort === true && !(isInOrder(one) || isInOrder(one, -1))) return true;
  if (name === "YYWW" && named !== "week" && isOneYear(one)) return true;
  // A 13th month, for annual means, leaves only weeks that are mostly absent.
  if (isShort === true && unit === "week" && !hasSteps(one)) return true;
  if (name === "year" && one.values.view().some((ms) => ms >= LAST_YEAR_MS)) return true;
  if (named !== undefined && PERIODS.has(named) && named !== unit)
    return (
      unit === "week" ||
      unit === "quarter" ||
      unit === "year" ||
      (unit === "month" && name !== "decimal-year")
    );
  return name === "month-name" && MONTH_AND_DIGITS.test(text) && !areMonthsInOrder(one);
}

/** Returns whether numbers such as 2013 are hardly weeks of 2020: as years they are usual, and no first week is among them. */
function areLikelyYears(candidates: readonly Candidate[]): boolean {
  const years = yearsOf(candidates.find(({ format }) => format.name === "year"));
  return years.length > 0 && years.every((year) => year >= 1900 && year <= 2100 && year % 100 !== 1);
}

/** Returns whether weeks never pass the end of a year, so that the numbers may also be an index. */
const isOneYear = (one: Candidate) => new Set(yearsOf(one, 3 * DAY_MS)).size === 1;

/** Returns the years of the values of a candidate. */
function yearsOf(one: Candidate | undefined, shift = 0): number[] {
  const known = one?.values.view().filter((value) => !Number.isNaN(value)) ?? [];
  return Array.from(known, (ms) => civilDate(ms + shift).year);
}

/** Returns whether several months are in ascending or descending order. */
function areMonthsInOrder(one: Candidate): boolean {
  const known = one.values.view().filter((value) => !Number.isNaN(value));
  const months = new Set(Array.from(known, (ms) => civilDate(ms).month));
  return known.length < 3 || (months.size > 1 && (isInOrder(one) || isInOrder(one, -1)));
}

/** Returns whether values are in order or mostly one step apart. Otherwise, numbers since 1970 may be anything. */
function isSeries(one: Candidate): boolean {
  return isInOrder(one) || hasSteps(one);
}

function isInOrder({ values }: Candidate, sign = 1): boolean {
  const known = values.view().filter((value) => !Number.isNaN(value));
  return known.every((value, row) => row === 0 || sign * (value - known[row - 1]!) >= 0);
}

function areEqual(a: Candidate, b: Candidate): boolean {
  const [left, right] = [a.values.view(), b.values.view()];
  return left.every((value, row) => Object.is(value, right[row]));
}

/** Returns the position of a time on the axis of a unit. */
function positionOf(unit: TimeUnit): (ms: number) => number {
  if (unit === "time") return (ms) => ms;
  if (unit === "day" || unit === "week") return (ms) => ms / (unit === "day" ? DAY_MS : 7 * DAY_MS);
  const months = unit === "month" ? 1 : unit === "quarter" ? 3 : 12;
  return (ms) => {
    const { year, month } = civilDate(ms);
    return (year * 12 + month - 1) / months;
  };
}

/** Returns whether at most half as many steps are missing as there are values, or there are fewer than three. */
function hasSteps({ format, values }: Candidate): boolean {
  const positions = Float64Array.from(values.view(), positionOf(format.unit))
    .filter((at) => !Number.isNaN(at))
    .sort();
  const distances = positions
    .subarray(1)
    .map((at, index) => at - positions[index]!)
    .filter((distance) => distance > 0);
  if (distances.length < 2) return true;
  const step = distances.toSorted()[distances.length >> 1]!;
  const missing = distances.reduce((sum, distance) => sum + Math.max(0, Math.round(distance / step) - 1), 0);
  return missing <= distances.length / 2;
}
