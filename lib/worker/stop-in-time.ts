import { logger } from "#lib/platform/log/logger";

/** How long work that is told to stop may take to end in order. */
const graceMs = 2_000;

/**
 * Waits for work that a signal tells to stop. Work that does not hear is left alone after a moment, so that a job's end
 * never hangs on its handler: whatever that still writes does not count, since every write is fenced by the attempt.
 *
 * @throws what the work throws; the reason of the signal for work that was left alone
 */
export async function stopInTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  let late: NodeJS.Timeout | undefined;
  const leave = () => {
    logger().warn({ reason: signal.reason }, "a handler goes on although it was told to stop");
    reject(signal.reason);
  };
  const tell = () => {
    late = setTimeout(leave, graceMs);
  };
  if (signal.aborted) tell();
  else signal.addEventListener("abort", tell, { once: true });
  try {
    return await Promise.race([work, left]);
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", tell);
  }
}
