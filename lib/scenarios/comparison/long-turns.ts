import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import { Turns } from "#lib/platform/concurrency/slots";

/** Of more rows than that a series is long: it takes some hundred megabytes while it is read and drawn. */
const LONG_ROWS = 4_000_000;

const shared = globalThis as typeof globalThis & { longSeriesTurns?: Turns };

/** Two at once: whoever looks at long scenarios waits for others that do, and for nobody else. */
const turns = () => (shared.longSeriesTurns ??= new Turns({ atOnce: 2, waiting: 50, waitMs: 120_000 }));

/**
 * Waits for a turn to take scenarios into memory, where they have many rows together. Dispose of it once they are drawn.
 *
 * @param signal leaves the queue: nobody waits for the drawing any more
 * @throws {DomainError} service_unavailable where too many wait, or it takes too long; the reason of `signal`
 */
export async function turnFor(rows: readonly ScenarioRow[], signal?: AbortSignal): Promise<Disposable> {
  const count = rows.reduce((sum, { scenario }) => sum + (scenario.rowCount ?? 0), 0);
  return count > LONG_ROWS ? turns().take(signal) : { [Symbol.dispose]() {} };
}
