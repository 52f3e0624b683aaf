import { limits } from "#lib/contract/limits";
import type { Explanation } from "#lib/contract/scenario-differences";
import type { PreviewRequest, ScenarioPreview } from "#lib/contract/scenario-preview";
import { bucketingOf, upperBounds } from "#lib/domain/comparison/bucketing";
import { differenceBetween } from "#lib/domain/comparison/difference-between";
import { presentDifference } from "#lib/domain/comparison/present-difference";
import { readTotals } from "#lib/domain/comparison/read-totals";
import { runComparison } from "#lib/domain/comparison/series-tasks";
import type { StoredPair } from "#lib/domain/comparison/shared-points";
import { rethrowRejection } from "#lib/domain/models/model-rejection";
import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import { type Bounds, boundsOfRows } from "#lib/domain/scenarios/chunks/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import type { ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { pointBounds } from "#lib/engine/intervals/point-bounds";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import type { Context } from "#lib/platform/context/context";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { type OpenSpan, openSpan } from "./open-span.ts";
import { runPreviewTask } from "./preview-tasks.ts";

/** Cost of a row and its members' predictions, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const COST_PER_ROW = 2_500;

/**
 * Predicts a scenario with adjusted inputs, beside its own predictions. Stores nothing. A scenario with the same
 * adjustments has equal predictions.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for adjustments that cannot be applied,
 *   models without inputs, buckets without times, and too many rows; input_invalid for values that the model cannot use
 */
export async function previewScenario(
  ctx: Context,
  { adjustments, maxPoints, levels, bucket, aggregate, explain, ...ids }: PreviewRequest & ScenarioRef,
): Promise<ScenarioPreview> {
  const { db, signal } = ctx;
  using opened = await openSpan(ctx, ids);
  const { row, rowsBuildOnEachOther, rowsInSpan, source } = opened;
  if (opened.model.state.series) throw manySeriesError();
  const { scenario } = row;
  const rowCount = rowsInSpan.length;
  requireShort(rowCount, rowsBuildOnEachOther);
  const bucketing = await bucketingOf(ctx, [row], { bucket, aggregate });
  const predicted = await runPreviewTask(
    "predictAdjusted",
    { ...source, adjustments, rowsBuildOnEachOther },
    { bytes: rowCount * COST_PER_ROW, signal },
  ).catch(rethrowRejection("adjustments"));
  const saved = await cachedPoints(db, scenario);
  const [upper = null] = await upperBounds(ctx, [{ row, panel: null }], bucketing);
  const totals = await readTotals(db, [scenario.runId]);
  const options = { ...(maxPoints && { maxPoints }), ...(bucketing && { bucket: bucketing }) };
  const scenarios = [
    { scenarioId: "saved", ...saved, upper },
    { ...predicted, scenarioId: "preview", timestamps: saved.timestamps },
  ];
  const compared = await runComparison({ scenarios, baselineId: "saved", options, actuals: null }, signal);
  const {
    series,
    rowOf: _,
    pointCount: __,
    actual: ___,
    commonSpan: ____,
    sent: _____,
    spans,
    bucketed,
    ...axis
  } = compared;
  const { totalDifference, percentDifference } = series[1]!;
  const stored = [saved, { prediction: predicted.prediction, timestamps: saved.timestamps }] as const;
  const pointsOf = async (at: 0 | 1, read: (rows: Int32Array) => Promise<Bounds>) => ({
    values: series[at]!.values,
    ...(await pointBounds(compared, at, read, {
      levels,
      shape: at === 0 ? scenario.intervals : predicted.intervals,
      aggregate: bucketing?.aggregate,
    })),
  });
  return {
    rowCount,
    ...axis,
    ...presentBuckets(bucketed, bucketing),
    saved: await pointsOf(0, (rows) => boundsAt(db, scenario, rows)),
    preview: await pointsOf(1, async (rows) => boundsOfRows(predicted, rows)),
    summary: predicted.summary,
    totalDifference,
    ...differenceBetween(
      totalDifference,
      { totals: predicted.totals, rows: spans[1]!.rows },
      { totals: totals.get(scenario.runId), rows: spans[0]!.rows },
    ),
    percentDifference,
    changedRows: predicted.changedRows,
    ...(explain && {
      explanation: await explainChanges(opened, { adjustments, stored, maxPoints }, signal),
    }),
  };
}

/** Splits the difference by the changed inputs, as between two scenarios. */
async function explainChanges(
  { source, rowsBuildOnEachOther }: OpenSpan,
  {
    adjustments,
    stored,
    maxPoints,
  }: Pick<PreviewRequest, "adjustments" | "maxPoints"> & { stored: StoredPair },
  signal: AbortSignal | undefined,
): Promise<Explanation> {
  const { artifactKey, inputKey, history, timestamp } = source;
  const split = await runPreviewTask(
    "splitScenarios",
    {
      artifactKeys: [artifactKey, artifactKey],
      inputKeys: [inputKey, inputKey],
      changes: { adjustments, timestamp },
      stored,
      rowsBuildOnEachOther,
      readsTarget: history !== undefined,
      histories: [
        [history, history],
        [history, history],
      ],
      historyDiffers: false,
    },
    { bytes: stored[0].prediction.length * COST_PER_ROW, signal },
  );
  const window = maxPoints ? { maxPoints } : {};
  const { spans: _, ...explanation } = await presentDifference({ stored, split, window });
  return explanation;
}

function manySeriesError(): DomainError {
  const message =
    "Previews are for scenarios of one series. Create a scenario with the adjustments, and compare it with this one.";
  return issueError("validation_failed", { code: "many_series", message });
}

/** @throws {DomainError} validation_failed for more rows than a preview predicts within a moment */
function requireShort(rowCount: number, rowsBuildOnEachOther: boolean): void {
  const most = rowsBuildOnEachOther ? limits.previewRowsTogether : limits.previewRows;
  if (rowCount <= most) return;
  const message = `The scenario has ${rowCount.toLocaleString("en")} rows. Previews of this model predict at most ${most.toLocaleString("en")}. Create a scenario with the adjustments.`;
  throw issueError("validation_failed", { code: "too_many_rows", message });
}
