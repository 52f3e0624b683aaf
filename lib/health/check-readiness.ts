import type { Database } from "#db/client";
import { schemaState } from "./schema-state.ts";
import { isStopping } from "./stopping.ts";

export type Readiness = {
  database: "ok" | "unreachable" | "not migrated";
  process: "ok" | "stopping";
};

/**
 * Whether this process should be given work: it is not about to stop, the database is there, and its schema is at least
 * the one that this program knows. A newer one is no reason to stop in the middle of a change of versions.
 */
export async function checkReadiness(db: Database): Promise<Readiness> {
  const state = await schemaState(db);
  return {
    database: state === "unreachable" ? state : state === "older" ? "not migrated" : "ok",
    process: isStopping() ? "stopping" : "ok",
  };
}
