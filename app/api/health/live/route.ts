export const dynamic = "force-dynamic";

/** The process answers: nothing else is looked at, since a restart of it would mend nothing else. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
