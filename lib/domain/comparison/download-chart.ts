import { findReadyScenario } from "#lib/domain/scenarios/find-scenario";
import type { Context } from "#lib/platform/context/context";
import { AUTO_POINTS, type BucketRequest } from "./bucketing.ts";
import { chartCsv } from "./buckets-csv.ts";
import { chartPredictions } from "./chart-predictions.ts";

type Request = Parameters<typeof chartPredictions>[1] & Required<Pick<BucketRequest, "bucket">>;

/**
 * Writes a scenario's aggregated predictions as CSV. Returns null if `auto` keeps rows.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function downloadChart(
  ctx: Context,
  request: Request,
): Promise<{ title: string; pieces: Generator<string> } | null> {
  const [{ scenario }, { buckets, ...chart }] = await Promise.all([
    findReadyScenario(ctx, request),
    chartPredictions(ctx, { ...request, ...(request.bucket === "auto" && { maxPoints: AUTO_POINTS }) }),
  ]);
  return buckets ? { title: scenario.title, pieces: chartCsv({ ...chart, buckets }) } : null;
}
