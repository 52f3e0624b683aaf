const units = ["B", "kB", "MB", "GB", "TB"];

/** Writes a number of bytes with three digits and a decimal unit: "512 B", "1.5 kB", "20 GB". */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (Number(size.toPrecision(3)) >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${Number(size.toPrecision(3)).toLocaleString("en")} ${units[unit]}`;
}
