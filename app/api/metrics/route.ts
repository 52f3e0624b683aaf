import { databaseConnection } from "#lib/platform/database/process-database";
import { printMetrics } from "#lib/platform/metrics/print-metrics";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  const { text, contentType } = await printMetrics(databaseConnection());
  return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
}
