import type { TimeFormat } from "./time-formats.ts";

/** Matches a text with a time of day after the date. */
export const HAS_TIME = /\d,?[T ]+\d/;
/** Matches a text with the separators of a date and a time. Its numbers may be wrong. */
export const DATE_SHAPED =
  /^(\d{4}([-/.])\d{1,2}(\2\d{1,2})?|\d{1,2}([/.-])\d{1,2}\4(\d{4}|\d{2}))([T ,].*)?$|^\d{4,14}$/;
/** Matches a date whose year has other than four digits. */
export const YEAR_BEYOND =
  /^([+-]?\d{5,6}-\d{2}-\d{2}|-\d{4}-\d{2}-\d{2}|\d{1,2}([/.-])\d{1,2}\2(0000|\d{5,6}))([T ,].*)?$/;

/** Returns a text with one 9 for each group of digits, and one a for each word: `9-a9` for 2021-W05. */
export const shapeOf = (text: string) => text.replace(/\p{L}+/gu, "a").replace(/\d+/g, "9");

/** Returns whether a time is a month or a longer period, so that no hour can follow it. */
export function isDayless({ unit }: TimeFormat, text: string): boolean {
  if (unit !== "time" || /^[\d.,]+$/.test(text)) return unit !== "time" && unit !== "day";
  return (text.match(/\d+/g)?.length ?? 0) + (/\p{L}{3}/u.test(text) ? 1 : 0) < 3;
}

/** Returns whether a cell has the separators and the lengths of the format, so that only its numbers are wrong. */
export function isLikeFormat(format: TimeFormat | undefined, cell: string): boolean {
  return format?.order !== undefined && /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/.test(cell);
}
