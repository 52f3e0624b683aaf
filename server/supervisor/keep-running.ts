import { setTimeout as delay } from "node:timers/promises";

/** A running child process or database. */
export type Running = {
  /** Resolves at the exit with its reason ("code 1", "signal SIGKILL"). */
  exited: Promise<string>;
  stop(): Promise<void>;
};

type Options = {
  start: () => Running | Promise<Running>;
  /** Called after each unexpected exit and each failed start. */
  onFailure: (message: string) => void;
  /** Delay before the first restart. It doubles with each further restart. */
  firstDelayMs?: number;
  /** Upper limit of the delay. */
  longestDelayMs?: number;
  /** Running time after which the delay is reset. */
  settledMs?: number;
};

/**
 * Starts a process or database and restarts it after each exit, with increasing delays.
 *
 * @returns a function that stops it permanently
 * @throws the error of the first start; later failures are reported and retried
 */
export async function keepRunning(options: Options): Promise<() => Promise<void>> {
  const { start, onFailure, firstDelayMs = 250, longestDelayMs = 10_000, settledMs = 30_000 } = options;
  const stopping = new AbortController();
  let current: Running | null = await start();

  const watch = async () => {
    let delayMs = firstDelayMs;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const ending = current ? await current.exited : null;
      current = null;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt >= settledMs) delayMs = firstDelayMs;
      if (ending !== null) onFailure(`ended with ${ending}; restarting in ${delayMs} ms`);
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => {}); // The stop aborts the wait.
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      if (stopping.signal.aborted) return;
      try {
        current = await start();
      } catch (error) {
        onFailure(`failed to start: ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  const watching = watch();

  return async () => {
    stopping.abort();
    await current?.stop();
    await watching;
    await current?.stop(); // A start that was running at the stop.
  };
}
