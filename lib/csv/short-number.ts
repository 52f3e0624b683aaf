/** A number as a message shows it: at most six significant digits. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}
