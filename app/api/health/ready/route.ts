import { database } from "#db/client";
import { answerReadiness } from "#lib/health/answer-probe";

export const dynamic = "force-dynamic";

/** Whether this process can answer requests just now. */
export async function GET(): Promise<Response> {
  return answerReadiness(database());
}
