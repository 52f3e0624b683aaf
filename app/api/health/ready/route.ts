import { database } from "#db/client";
import { checkReadiness } from "#lib/health/check-readiness";

export const dynamic = "force-dynamic";

/** Whether this process can answer requests just now. */
export async function GET(): Promise<Response> {
  const checks = await checkReadiness(database());
  const ready = Object.values(checks).every((state) => state === "ok");
  return Response.json(
    { status: ready ? "ready" : "unavailable", checks },
    {
      status: ready ? 200 : 503,
      headers: { "Cache-Control": "no-store", ...(ready ? {} : { "Retry-After": "5" }) },
    },
  );
}
