const MINUTE_MS = 60_000;

/**
 * The lines of a CSV with a column `time` before the others. They come in pieces of whole lines, the header first.
 *
 * @param from time of the first row in epoch milliseconds; each row is a minute after the one before
 */
export function* withTimes(pieces: Iterable<string>, from: number): Generator<string> {
  let line = 0;
  const cell = () => (line++ === 0 ? "time," : `${tellTime(from, line - 2)},`);
  for (const piece of pieces) yield piece.replace(/^(?=.)/gm, cell);
}

/** Of a row, counted from 0, in epoch milliseconds. */
export const timeOf = (from: number, row: number) => from + row * MINUTE_MS;

/** The same as text. */
export const tellTime = (from: number, row: number) => new Date(timeOf(from, row)).toISOString();
