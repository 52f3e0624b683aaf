import type { Column, NumericColumn } from "#lib/contract/table";
import { monthNumber } from "#lib/engine/time/month-names";

const DAY_MS = 86_400_000;

/** A part of a time that a column may hold beside dates or years: words of its name, and its values. */
export type Part = { name: RegExp; from: number; to: number; isText?: (text: string) => boolean };

export const year: Part = {
  name: /^(?:year|yr|yyyy|jahr|ann[ée]e|a[ñn]o|anno|jaar|y)$/i,
  from: 1500,
  to: 2100,
};

export const hour: Part = {
  name: /^(h|hr|hrs|hour|hours|time|stunde|uhrzeit|heure|hora|ora|hh)$|hour|time/i,
  from: 0,
  to: 23,
  isText: (text) => /^\d{1,2}:\d{2}(:\d{2})?$/.test(text),
};
export const quarter: Part = {
  name: /quarter|quartal|trimest|kwartaal|^q(tr)?$/i,
  from: 1,
  to: 4,
  isText: (text) => /^[QT][1-4]$/i.test(text),
};
export const month: Part = {
  name: /month|monat|mois|^mes(es)?$|mese|maand|yymm$|^m$/i,
  from: 1,
  to: 12,
  isText: (text) => !Number.isNaN(monthNumber(text)),
};
export const week: Part = {
  name: /week|woche|semaine|semana|settimana|yyyyww|^kw$|^w$/i,
  from: 1,
  to: 53,
  isText: (text) => /^(?:W|KW) ?\d{1,2}$/i.test(text),
};
export const day: Part = { name: /day|^tag$|jour|giorno|^d[ií]a$|^dag$|^d$/i, from: 1, to: 31 };

/** Parts that may follow a column of years, in the order in which `timestamp` names them. */
const partsOfYears = [[quarter], [month], [week], [month, day], [month, day, hour]];

/**
 * Returns the columns that hold the other parts of a time, if the days or years of the timestamp repeat, and all columns
 * together occur only once: the hour of a day; or a quarter, a month or a week of a year, and days and hours. Otherwise
 * returns null.
 */
export function proposeParts(columns: readonly Column[], timestamp: string): string[] | null {
  const times = columns.find(({ name }) => name === timestamp);
  if (times?.type !== "timestamp" || times.values.some((at) => at % DAY_MS !== 0)) return null;
  const isYears = times.values.every((at) => new Date(at).toISOString().slice(5, 10) === "01-01");
  if (isYears) {
    for (const parts of partsOfYears) {
      const found = parts.map((part) =>
        columns.find((column) => column !== times && part.name.test(column.name) && holds(column, part)),
      );
      const known = found.filter((column) => column !== undefined);
      if (known.length === parts.length && areUnique([times, ...known])) return known.map(({ name }) => name);
    }
  }
  const hours = columns.filter(
    (column) => column !== times && holds(column, hour) && areUnique([times, column]),
  );
  const proposed = hours.find(({ name }) => hour.name.test(name)) ?? (isYears ? undefined : hours[0]);
  return proposed === undefined ? null : [proposed.name];
}

/** Returns the column with the hours of days, by its name and values, also where series repeat the hours. */
export function findHours(columns: readonly Column[], timestamp: string): NumericColumn | null {
  const times = columns.find(({ name }) => name === timestamp);
  if (times?.type !== "timestamp" || times.values.some((at) => at % DAY_MS !== 0)) return null;
  const hours = columns.find(
    (column) => column !== times && hour.name.test(column.name) && holds(column, hour),
  );
  return hours?.type === "number" ? hours : null;
}

/** Returns the columns that are probably the times of a file: one of years, with those of quarters, months, weeks or days. */
export function proposeTimes(columns: readonly Column[]): string[] | null {
  for (const column of columns) {
    const { name, type } = column;
    if (type !== "number" || !year.name.test(name) || !holds(column, year)) continue;
    const values = column.values.map((number) => Date.UTC(number, 0, 1));
    const others = columns.filter((other) => other !== column && !hour.name.test(other.name));
    const parts = proposeParts([{ name, type: "timestamp", values }, ...others], name);
    if (parts !== null) return [name, ...parts];
  }
  return null;
}

function holds(column: Column, { from, to, isText }: Part): boolean {
  if (column.type === "category")
    return isText !== undefined && column.categories.every((text) => isText(text.trim()));
  if (column.type !== "number") return false;
  return column.values.every((value) => Number.isInteger(value) && value >= from && value <= to);
}

function areUnique(columns: readonly Column[]): boolean {
  const values = columns.map((column) => (column.type === "category" ? column.codes : column.values));
  const rows = values[0]!.length;
  const seen = new Set<string>();
  for (let row = 0; row < rows; row++) seen.add(values.map((of) => of[row]).join(" "));
  return seen.size === rows;
}
