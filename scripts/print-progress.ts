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
  let told = now();
  const tell = (text: string) => {
    if (output.isTTY) output.write(`\r\x1b[K${text}`);
    else if (now() - told >= betweenMs) {
      output.write(`${text}\n`);
      told = now();
    }
  };
  return Object.assign(tell, { end: () => void (output.isTTY && output.write("\r\x1b[K")) });
}
