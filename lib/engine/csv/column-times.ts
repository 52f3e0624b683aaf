import { civilDate } from "#lib/engine/time/calendar";
import type { Growing } from "./growing.ts";
import type { TimeFormat, TimeUnit } from "./time-formats.ts";

const DAY_MS = 86_400_000;

/** A way to read a column of times, with the value that it gives each row; NaN for a missing value. */
export type Candidate = { format: TimeFormat; values: Growing<Float64Array<ArrayBuffer>> };

/** `rivals` are the readings that are equally plausible, two or more, or one that needs an option. */
export type Resolved = { chosen: Candidate; rivals: Candidate[] };

/** Words in the names of columns that show the step of their values. */
const UNIT_WORDS: [TimeUnit, RegExp][] = [
  ["month", /month|monat|mois|^mes(es)?$|mese|maand|yyyymm|yymm$/i],
  ["week", /week|woche|semaine|semana|settimana|yyyyww|^kw$/i],
  ["quarter", /quarter|quartal|trimest|kwartaal|^qtr$|^q$/i],
  ["day", /^(day|date|tag|datum|jour|giorno|d[ií]a|dag|data|fecha)$|day.?of|yyyymmdd/i],
  [
    "year",
    /year|jahr|ann[ée]e|jaar|yyyy|(?<!\p{L})(?:an|a[ñn]o|anno|yrs?|fy|[åa]r|ro[kč]|év|vuosi)(?!\p{L})/iu,
  ],
];

/**
 * Decides how a column of times is read, from all ways that read every value. The columns' names decide first, if they
 * name the step, then the step: a way is plausible only if its values are mostly one step apart. Without a plausible
 * way, or with several, the column is ambiguous.
 */
export function resolveTimes(candidates: readonly Candidate[], names: readonly string[]): Resolved {
  let left = candidates.filter((one, at) => !candidates.slice(0, at).some((other) => areEqual(one, other)));
  const narrow = (keep: (one: Candidate) => boolean) => {
    const kept = left.length > 1 ? left.filter(keep) : left;
    if (kept.length > 0) left = kept;
  };
  const named = UNIT_WORDS.find(([, words]) => words.test(names.at(-1)!));
  if (named !== undefined) narrow(({ format }) => format.unit === named[0]);
  narrow(({ format }) => format.isFallback !== true);
  narrow((one) => hasSteps(one));
  narrow((one) => one.format.name !== "YY-MM-DD" || isInOrder(one));
  narrow(({ format }) => format.mustAsk !== true);
  // As months, such years would be 13 months apart.
  narrow(({ format, values }) => format.name === "fiscal-year" && new Set(values.view()).size > 2);
  const [chosen] = left;
  const mustAsk = chosen!.format.mustAsk === true || (chosen!.format.isZoned === true && !isSeries(chosen!));
  return { chosen: chosen!, rivals: left.length > 1 || mustAsk ? left : [] };
}

/** Returns whether values are in order or mostly one step apart. Otherwise, numbers since 1970 may be anything. */
function isSeries(one: Candidate): boolean {
  return isInOrder(one) || hasSteps(one);
}

function isInOrder({ values }: Candidate): boolean {
  const known = values.view().filter((value) => !Number.isNaN(value));
  return known.every((value, row) => row === 0 || value >= known[row - 1]!);
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
export function hasSteps({ format, values }: Candidate): boolean {
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
