import { logger } from "#lib/platform/log/logger";

/** Time to wait for the work after the signal. */
export const graceMs = 2_000;

/**
 * Waits for work. Gives up two seconds after the signal, so that a job can end although its handler ignores the signal.
 * The attempt number fences late database writes of such work; its files become orphans.
 *
 * @throws errors of the work; the reason of the signal if the work ignores it
 */
export async function stopInTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  let late: NodeJS.Timeout | undefined;
  const stopWaiting = () => {
    logger().warn({ reason: signal.reason }, "a handler ignores the signal to stop");
    reject(signal.reason);
  };
  const startTimer = () => {
    late = setTimeout(stopWaiting, graceMs);
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", startTimer);
  }
}
