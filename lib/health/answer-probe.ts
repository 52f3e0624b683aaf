import type { Database } from "#db/client";
import { checkReadiness } from "./check-readiness.ts";

/** The answer to a readiness probe: 200, or 503 that says what is missing. */
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

/** The answer to a liveness probe: nothing else is looked at, since a restart of the process would mend nothing else. */
export const answerLiveness = (): Response =>
  Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
