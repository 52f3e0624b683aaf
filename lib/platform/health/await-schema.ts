import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client";
import { logger } from "#lib/platform/log/logger";
import { usableSchemaState } from "./usable-schema-state.ts";

const pollMs = 1_000;

const reasons = {
  older: "The database's schema is older than this program: waiting for `npm run migrate` of this version.",
  unreachable: "The database cannot be reached: waiting for it.",
};

/**
 * Waits until the database is reachable and migrated. Logs the reason of the wait.
 *
 * @throws {StartError} on a schema that this program can neither use nor migrate
 */
export async function awaitSchema(db: Database, signal: AbortSignal): Promise<void> {
  let logged: string | null = null;
  for (;;) {
    const state = await usableSchemaState(db);
    if (state === "current" || signal.aborted) return;
    if (logged !== state) logger().warn(reasons[state]);
    logged = state;
    await delay(pollMs, undefined, { signal }).catch(() => {}); // The stop aborts the wait.
  }
}
