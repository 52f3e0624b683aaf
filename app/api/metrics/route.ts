import { connection } from "next/server";
import { database } from "#db/client";
import { printMetrics } from "#lib/metrics/print-metrics";

export async function GET(): Promise<Response> {
  await connection();
  const { text, contentType } = await printMetrics(database());
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
}
