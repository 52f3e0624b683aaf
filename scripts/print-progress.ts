const betweenMs = 10_000;

/**
 * Tells how far long work is: on a terminal in one line that is written anew, elsewhere, where every line is kept, at most
 * every ten seconds.
 *
 * @returns called with what is done, as often as one likes
 */
export function tellProgress(
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
