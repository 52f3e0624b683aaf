import { limits } from "#lib/contract/limits";
import type { LiveModelResponse } from "#lib/contract/live-model";
import { bucketingOf } from "#lib/domain/comparison/bucketing";
import { inFeatureOrder } from "#lib/domain/models/linked/series-tables";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import type { ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { LiveModel } from "#lib/engine/what-if/live-model";
import { pack } from "#lib/engine/what-if/pack";
import type { Context } from "#lib/platform/context/context";
import { openSpan } from "./open-span.ts";

/** Maximum size of a live model: a page loads it while the user moves to the first input. */
const BYTES_MAX = 16 * 1024 * 1024;

/**
 * Returns the live model of a scenario, in base64.
 *
 * @returns `model` null for an imported model, and above the limits of previews and of size
 * @throws {DomainError} scenario_not_found, scenario_not_ready, and validation_failed for models without inputs
 */
export async function getLiveModel(ctx: Context, ids: ScenarioRef): Promise<LiveModelResponse> {
  using opened = await openSpan(ctx, ids);
  const { row, model, rowsInSpan, rowsBuildOnEachOther, source } = opened;
  const most = rowsBuildOnEachOther ? limits.previewRowsTogether : limits.previewRows;
  if (rowsInSpan.length > most) return { model: null };
  const { inputKey, history, timestamp } = source;
  const input = await StoredInput.open(inputKey);
  // Checked before the rows take memory.
  if (input.rowCount * input.columns.length * Float64Array.BYTES_PER_ELEMENT > BYTES_MAX)
    return { model: null };
  const plain = model.plain();
  if (plain === null) return { model: null };
  const { timestamps, prediction } = await cachedPoints(ctx.db, row.scenario);
  const bucketing = await bucketingOf(ctx, [row], { bucket: "auto" });
  const packed = pack({
    plain,
    table: inFeatureOrder(model.inputFeatures, await input.readAll()),
    generated: input.generated,
    history,
    timestamp,
    saved: { timestamps, prediction },
    bucketing: bucketing ? { aggregate: bucketing.aggregate, timezone: bucketing.timezone } : null,
  } satisfies LiveModel);
  if (packed.length > BYTES_MAX) return { model: null };
  return { model: Buffer.from(packed.buffer).toString("base64") };
}
