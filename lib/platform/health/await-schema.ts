import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client";
import { StartError } from "#lib/config/start-error";
import { schemaState } from "#lib/health/schema-state";
import { logger } from "#lib/platform/log/logger";

const pollMs = 1_000;

const reasons = {
  older: "The database's schema is older than this program: waiting for `npm run migrate` of this version.",
  unreachable: "The database cannot be reached: waiting for it.",
};

/**
 * Waits until the database is there and has been migrated, and says in the log what it waits for.
 *
 * @throws {StartError} where a newer version has changed the database: what this one would write could be wrong there
 */
export async function awaitSchema(db: Database, signal: AbortSignal): Promise<void> {
  let told: string | null = null;
  for (;;) {
    const state = await schemaState(db);
    if (state === "current" || signal.aborted) return;
    if (state === "newer") throw new StartError(newerSchema);
    if (told !== state) logger().warn(reasons[state]);
    told = state;
    await delay(pollMs, undefined, { signal }).catch(() => {}); // Woken up to stop.
  }
}

export const newerSchema =
  "The database was migrated by a newer version of this program: start that version, or restore a backup of this one.";
