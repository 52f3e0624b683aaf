import { setTimeout as delay } from "node:timers/promises";
import { logger } from "#lib/platform/log/logger";

/** Pauses of a message before its second attempt and each further one: 22 hours in total. */
export const pausesSeconds = [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200];

const pollMs = 500;

/** Kind of messages that a worker sends, such as webhooks. */
type Turns<T> = {
  /** Plural noun for the log. */
  name: string;
  /** Largest number of turns at a time. */
  atOnce: number;
  /** Returns the next turn, or null if nothing is due that may be sent beside the running ones. */
  take(running: readonly T[]): Promise<T | null>;
  run(turn: T, stopping: AbortSignal): Promise<void>;
};

/**
 * Sends messages of one kind, several at a time. Kinds do not wait for each other. After an error such as an outage of the
 * database, takes the turn again.
 *
 * @returns a function that stops; the signal of running turns is aborted, and the function waits for them
 */
export function startTurns<T>({ name, atOnce, take, run }: Turns<T>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<T, Promise<void>>();
  const reportFailure = (err: unknown): null => {
    logger().warn({ err }, `${name} cannot be sent and will be retried`);
    return null;
  };
  const loop = async () => {
    while (!signal.aborted) {
      const turn = running.size < atOnce ? await take([...running.keys()]).catch(reportFailure) : null;
      if (turn !== null) {
        running.set(
          turn,
          run(turn, signal)
            .catch(reportFailure)
            .then(() => void running.delete(turn)),
        );
        continue;
      }
      // The stop aborts the wait.
      const pause = delay(pollMs, undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([pause, ...running.values()]);
    }
    await Promise.all(running.values());
  };
  const looping = loop();
  return async () => {
    stopping.abort();
    await looping;
  };
}
