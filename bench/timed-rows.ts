const MINUTE_MS = 60_000;

/**
 * Adds a first column `time` to a CSV.
 *
 * @param pieces whole lines, the header first
 * @param from time of the first row in epoch milliseconds; each row is one minute later than the previous one
 */
export function* withTimes(pieces: Iterable<string>, from: number): Generator<string> {
  let line = 0;
  const cell = () => (line++ === 0 ? "time," : `${formatTime(from, line - 2)},`);
  for (const piece of pieces) yield piece.replace(/^(?=.)/gm, cell);
}

/** Returns the time of a row, counted from 0, in epoch milliseconds. */
export const timeOf = (from: number, row: number) => from + row * MINUTE_MS;

/** Returns the time of a row, counted from 0, as ISO 8601 text. */
export const formatTime = (from: number, row: number) => new Date(timeOf(from, row)).toISOString();
