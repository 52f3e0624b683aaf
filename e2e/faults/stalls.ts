import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";

/** Time in milliseconds of a small transaction above which the machine is too busy for the service's time limits. */
const promptMs = 1_000;
const pauseMs = 250;

/**
 * Reports when the machine stalls, which explains a 503 as a fault does: with 20 busy processes on two cores, a commit
 * takes seconds, and a request waits longer for the locks of others than it may. The transactions take no locks and have a
 * connection of their own, so that a lock that the service holds too long does not count.
 */
export async function watchStalls(
  databaseUrl: string,
  signal: AbortSignal,
  report: (fromMs: number, untilMs: number) => void,
): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  while (!signal.aborted) {
    const fromMs = Date.now();
    // A killed database is a fault of the schedule.
    await sql`select pg_logical_emit_message(true, 'stall', '')`.catch(() => {});
    const untilMs = Date.now();
    if (untilMs - fromMs > promptMs) report(fromMs, untilMs);
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  await sql.end({ timeout: 5 });
}
