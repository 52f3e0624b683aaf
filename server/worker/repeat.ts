import { setTimeout as delay } from "node:timers/promises";
import { logger } from "#lib/platform/log/logger";

/**
 * Runs a task repeatedly, with a pause in between, until it is stopped. Logs a failure and continues.
 *
 * @param name noun phrase for the log, such as "housekeeping"
 * @returns a function that stops it and waits for the current run
 */
export function repeat(name: string, everyMs: number, task: () => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      try {
        await task();
      } catch (err) {
        if (!signal.aborted) logger().warn({ err }, `${name} failed and will be retried`);
      }
      await delay(everyMs, undefined, { signal }).catch(() => {}); // The stop aborts the wait.
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    await running;
  };
}
