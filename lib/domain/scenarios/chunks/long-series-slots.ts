import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import { Slots } from "#lib/platform/concurrency/slots";
import { perProcess } from "#lib/platform/process/per-process";

/** Number of rows above which a series is long. A long series takes some hundred megabytes while it is read and drawn. */
const LONG_ROWS = 4_000_000;

/** Two slots. Requests for long scenarios wait only for each other. */
const slots = perProcess("longSeriesSlots", () => new Slots({ atOnce: 2, waiting: 50, waitMs: 120_000 }));

/**
 * Waits for a slot before scenarios with many rows in total are read into memory. The caller disposes of the slot when the
 * response is ready.
 *
 * @param signal leaves the queue if the caller has gone
 * @throws {DomainError} service_unavailable if the queue is full or the wait takes too long; the reason of `signal`
 */
export async function acquireSlot(rows: readonly ScenarioRow[], signal?: AbortSignal): Promise<Disposable> {
  const count = rows.reduce((sum, { scenario }) => sum + (scenario.rowCount ?? 0), 0);
  return count > LONG_ROWS ? slots().acquire(signal) : { [Symbol.dispose]() {} };
}
