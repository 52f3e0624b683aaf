import { limits } from "#lib/contract/limits";
import type { LiveModelResponse } from "#lib/contract/live-model";
import { bucketingOf } from "#lib/domain/comparison/bucketing";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { panelColumns } from "#lib/domain/scenarios/panel/cached-panel";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { Context } from "#lib/platform/context/context";
import { openSpan } from "./open-span.ts";
import { runPreviewTask } from "./preview-tasks.ts";

/** Maximum size of a live model: a page loads it while the user moves to the first input. */
const BYTES_MAX = 16 * 1024 * 1024;

/**
 * Returns the live model of a scenario, in base64.
 *
 * @returns `model` null for an imported model, a model of many series, and above the limits of previews and of size
 * @throws {DomainError} scenario_not_found, run_not_found, checkpoint_not_found, scenario_not_ready, and validation_failed for models without inputs
 */
export async function getLiveModel(ctx: Context, ids: ScenarioRef): Promise<LiveModelResponse> {
  // Many series are predicted in the service.
  const { scenario } = await findReadyScenario(ctx, ids);
  if ((await panelColumns(scenario)) !== null) return { model: null };
  using opened = await openSpan(ctx, ids);
  const { row, rowsInSpan, rowsBuildOnEachOther, source } = opened;
  const most = rowsBuildOnEachOther ? limits.previewRowsTogether : limits.previewRows;
  if (rowsInSpan.length > most) return { model: null };
  const input = await StoredInput.open(source.inputKey);
  // Checked before the rows take memory.
  if (input.rowCount * input.columns.length * Float64Array.BYTES_PER_ELEMENT > BYTES_MAX)
    return { model: null };
  const { timestamps, prediction } = await cachedPoints(ctx.db, row.scenario);
  const bucketing = await bucketingOf(ctx, [row], { bucket: "auto" });
  const packed = await runPreviewTask(
    "packLiveModel",
    {
      ...source,
      saved: { timestamps, prediction },
      bucketing: bucketing ? { aggregate: bucketing.aggregate, timezone: bucketing.timezone } : null,
    },
    // The model may be large, however few rows there are.
    { bytes: Number.POSITIVE_INFINITY, signal: ctx.signal },
  );
  if (packed === null || packed.length > BYTES_MAX) return { model: null };
  return { model: Buffer.from(packed.buffer).toString("base64") };
}
