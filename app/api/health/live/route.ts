import { connection } from "next/server";

/** The process answers: nothing else is looked at, since a restart of it would mend nothing else. */
export async function GET(): Promise<Response> {
  await connection();
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
