import { withUnusedLimits } from "#lib/api/caller/rate-limit-headers";
import { database } from "#lib/platform/database/process-database";
import { answerReadiness } from "#lib/platform/health/probes";

export const dynamic = "force-dynamic";

/** Returns whether this process can answer requests now. */
export async function GET(): Promise<Response> {
  return withUnusedLimits(await answerReadiness(database()));
}
