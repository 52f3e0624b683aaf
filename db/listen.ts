import { setTimeout as delay } from "node:timers/promises";
import { PooledConnection } from "./pool/pooled-connection.ts";

/**
 * Interval at which a lost connection is detected and replaced. The driver's own `listen` gives up after one attempt.
 */
const checkMs = 5_000;
const pauseMs = 1_000;

/**
 * Calls back with the payload of each notification on a channel, and with null when some may have been missed. Replaces
 * each connection that is lost or hangs.
 *
 * @returns a function that ends the listening
 */
export function listen(url: string, channel: string, onNotify: (payload: string | null) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false });
  const listenOnce = async () => {
    const connection = new PooledConnection({ url, statementMs: checkMs, onNotify });
    try {
      await connection.query({ text: `listen ${channel}` });
      onNotify(null);
      for (;;) {
        await pause(checkMs);
        await connection.query({ text: "select 1" });
      }
    } finally {
      connection.end();
    }
  };
  const loop = async () => {
    while (!signal.aborted) {
      await listenOnce().catch(() => {}); // Other queries report the outage.
      await pause(pauseMs).catch(() => {}); // The end aborts the wait.
    }
  };
  void loop();
  return () => ending.abort();
}
