import { setTimeout as delay } from "node:timers/promises";
import { logger } from "#lib/platform/log/logger";

/**
 * Does something again and again, with a pause in between, until it is stopped. A failure is logged and does not end it.
 *
 * @returns stops it; fulfilled when the turn under way has ended
 */
export function repeat(
  name: string,
  everyMs: number,
  turn: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      try {
        await turn(signal);
      } catch (err) {
        if (!signal.aborted) logger().warn({ err }, `${name} fails and is tried again`);
      }
      await delay(everyMs, undefined, { signal }).catch(() => {}); // Woken up to stop.
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    await running;
  };
}
