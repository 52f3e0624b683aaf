import { setTimeout as delay } from "node:timers/promises";

/** Something that runs: a child process or the database. */
export type Running = {
  /** Fulfilled when it has ended, with the way it ended ("code 1", "signal SIGKILL"). */
  exited: Promise<string>;
  stop(): Promise<void>;
};

type Options = {
  start: () => Running | Promise<Running>;
  /** Told of every end that nobody asked for and of starts that failed. */
  onTrouble: (message: string) => void;
  /** Waiting time before the first new start; it doubles up to the longest one. */
  firstDelayMs?: number;
  longestDelayMs?: number;
  /** After running that long an end counts as the first one again. */
  settledMs?: number;
};

/**
 * Starts something and starts it again whenever it ends, sooner at first and later if that does not help.
 *
 * @returns ends it for good
 * @throws what the first start throws; later failures are told and tried again
 */
export async function keepRunning(options: Options): Promise<() => Promise<void>> {
  const { start, onTrouble, firstDelayMs = 250, longestDelayMs = 10_000, settledMs = 30_000 } = options;
  const stopping = new AbortController();
  let current: Running | null = await start();

  const watch = async () => {
    let delayMs = firstDelayMs;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      const ending = current ? await current.exited : null;
      current = null;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt >= settledMs) delayMs = firstDelayMs;
      if (ending !== null) onTrouble(`ended with ${ending}; starting again in ${delayMs} ms`);
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => {}); // Woken up to stop.
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      if (stopping.signal.aborted) return;
      try {
        current = await start();
      } catch (error) {
        onTrouble(`does not start: ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  const watching = watch();

  return async () => {
    stopping.abort();
    await current?.stop();
    await watching;
    await current?.stop(); // A start that was under way when the stop came.
  };
}
