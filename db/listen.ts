import { setTimeout as delay } from "node:timers/promises";
import { PooledConnection } from "./pool/pooled-connection.ts";

/** How soon a lost connection is noticed and replaced; the driver's own `listen` gives up after one try. */
const checkMs = 5_000;
const pauseMs = 1_000;

/**
 * Calls back for each notification on a channel, and whenever some may have been missed: a connection that is lost, or
 * hangs, is replaced by a new one until it is ended.
 *
 * @returns ends it
 */
export function listen(url: string, channel: string, onNotify: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false });
  const listenOnce = async () => {
    const connection = new PooledConnection({ url, statementMs: checkMs, onNotify });
    try {
      await connection.query({ text: `listen ${channel}` });
      onNotify();
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
      await listenOnce().catch(() => {}); // Whoever asks the database on the way tells of its outage.
      await pause(pauseMs).catch(() => {}); // Woken up to end.
    }
  };
  void loop();
  return () => ending.abort();
}
