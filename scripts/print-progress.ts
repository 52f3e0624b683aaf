const betweenMs = 10_000;

/**
 * Prints the progress of long work. On a terminal, rewrites one line. Elsewhere, prints at most one line every ten
 * seconds.
 *
 * @returns a function to call with the work done, at any rate
 */
export function printProgress(
  output: Pick<NodeJS.WriteStream, "isTTY" | "write"> = process.stderr,
  now: () => number = Date.now,
): { (text: string): void; end(): void } {
  let printedAt = now();
  const print = (text: string) => {
    if (output.isTTY) output.write(`\r\x1b[K${text}`);
    else if (now() - printedAt >= betweenMs) {
      output.write(`${text}\n`);
      printedAt = now();
    }
  };
  return Object.assign(print, { end: () => void (output.isTTY && output.write("\r\x1b[K")) });
}
