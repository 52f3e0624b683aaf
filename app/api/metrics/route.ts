import { withUnusedLimits } from "#lib/api/caller/rate-limit-headers";
import { databaseConnection } from "#lib/platform/database/process-database";
import { printMetrics } from "#lib/platform/metrics/print-metrics";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  const { text, contentType } = await printMetrics(databaseConnection());
  const headers = { "Content-Type": contentType, "Cache-Control": "no-store" };
  return withUnusedLimits(new Response(text, { headers }));
}
