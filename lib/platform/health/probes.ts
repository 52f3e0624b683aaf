import type { Database } from "#db/client";
import { perProcess } from "#lib/platform/process/per-process";
import { buildInfo } from "./build-info.ts";
import { foldersWritten } from "./disk-space.ts";
import { isDiskFull } from "./disk-state.ts";
import { schemaState } from "./schema-state.ts";

/** Answers a readiness probe: 200, or 503 with the reason. */
export async function answerReadiness(db: Database): Promise<Response> {
  const checks = await checkReadiness(db);
  const ready = Object.values(checks).every((state) => state === "ok");
  return Response.json(
    { status: ready ? "ready" : "unavailable", checks },
    {
      status: ready ? 200 : 503,
      headers: { "Cache-Control": "no-store", ...(ready ? {} : { "Retry-After": "5" }) },
    },
  );
}

/** Answers a liveness probe. Checks nothing else, because a restart of the process would fix nothing else. States the build. */
export const answerLiveness = (): Response =>
  Response.json({ status: "ok", ...buildInfo() }, { headers: { "Cache-Control": "no-store" } });

type Readiness = {
  database: "ok" | "unreachable" | "not migrated";
  /** The disks of the data folder and of artifacts. Without space, writes return 503. */
  disk: "ok" | "full";
  process: "ok" | "stopping";
};

/**
 * Returns whether this process can accept work: it is not stopping, its disks have space, the database is reachable,
 * and the schema is current or newer. A newer schema is accepted, so that old processes stay ready during a rolling update.
 */
async function checkReadiness(db: Database): Promise<Readiness> {
  const state = await schemaState(db);
  const isMigrated = state === "current" || state === "newer";
  return {
    database: state === "unreachable" ? state : isMigrated ? "ok" : "not migrated",
    disk: Object.values(foldersWritten()).some(isDiskFull) ? "full" : "ok",
    process: lifecycle().isStopping ? "stopping" : "ok",
  };
}

const lifecycle = perProcess("lifecycle", () => ({ isStopping: false }));

/** Marks this process as not ready, so that load balancers send no more requests. */
export function markStopping(): void {
  lifecycle().isStopping = true;
}
