import { limits } from "#lib/contract/limits";
import type { Explanation } from "#lib/contract/scenario-differences";
import type { PreviewRequest, ScenarioPreview } from "#lib/contract/scenario-preview";
import { bucketingOf, upperBounds } from "#lib/domain/comparison/bucketing";
import { differenceBetween } from "#lib/domain/comparison/difference-between";
import { presentDifference } from "#lib/domain/comparison/present-difference";
import { readTotals } from "#lib/domain/comparison/read-totals";
import { runComparison } from "#lib/domain/comparison/series-tasks";
import { rethrowRejection } from "#lib/domain/models/model-rejection";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import type { ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { pointBounds } from "#lib/engine/intervals/point-bounds";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import { wireNumbers } from "#lib/engine/series/summary";
import type { Context } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { type OpenSpan, openSpan } from "./open-span.ts";
import { type PreviewSides, previewSides } from "./preview-sides.ts";
import { runPreviewTask } from "./preview-tasks.ts";

/** Cost of a row and its members' predictions, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const COST_PER_ROW = 2_500;

/**
 * Predicts a scenario with adjusted inputs, beside its own predictions. Stores nothing. A scenario with the same
 * adjustments has equal predictions. Of many series, predicts only the chosen ones, and returns their sums.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed for adjustments that cannot be
 *   applied, models without inputs, buckets without times, an invalid choice of series, and too many rows or series;
 *   input_invalid for values that the model cannot use
 */
export async function previewScenario(
  ctx: Context,
  { adjustments, maxPoints, levels, bucket, aggregate, explain, ...ids }: PreviewRequest & ScenarioRef,
): Promise<ScenarioPreview> {
  const { db, signal } = ctx;
  using opened = await openSpan(ctx, ids);
  const { row, few, rowsBuildOnEachOther, rowsInSpan, source } = opened;
  const { scenario } = row;
  const rowCount = rowsInSpan.length;
  requireShort(rowCount, rowsBuildOnEachOther, few !== null);
  const bucketing = await bucketingOf(ctx, [row], { bucket, aggregate });
  const predicted = await runPreviewTask(
    "predictAdjusted",
    { ...source, rows: few && rowsInSpan, adjustments, rowsBuildOnEachOther },
    { bytes: rowCount * COST_PER_ROW, signal },
  ).catch(rethrowRejection("adjustments"));
  const both = previewSides(ctx, opened, await cachedPoints(db, scenario), predicted);
  const [saved, preview] = both.sides;
  const [upper] = await upperBounds(ctx, [{ row, panel: few }], bucketing);
  // The stored totals are those of the rows, whose errors are not independent among many series.
  const totals = few === null ? await readTotals(db, [scenario.runId]) : null;
  const options = { ...(maxPoints && { maxPoints }), ...(bucketing && { bucket: bucketing }) };
  const scenarios = [
    { scenarioId: "saved", ...saved.points, ...upper },
    { scenarioId: "preview", ...preview.points, upper: few === null ? predicted.upper : null },
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
  const pointsOf = async (at: 0 | 1) => ({
    values: wireNumbers(series[at]!.values),
    ...(await pointBounds(compared, at, both.sides[at].boundsAt, {
      levels,
      shape: both.sides[at].shape,
      aggregate: bucketing?.aggregate,
    })),
  });
  return {
    rowCount,
    ...axis,
    ...presentBuckets(bucketed, bucketing),
    saved: await pointsOf(0),
    preview: await pointsOf(1),
    summary: predicted.summary,
    totalDifference,
    ...differenceBetween(
      totalDifference,
      { totals: totals ? predicted.totals : undefined, rows: spans[1]!.rows },
      { totals: totals?.get(scenario.runId), rows: spans[0]!.rows },
    ),
    percentDifference,
    changedRows: predicted.changedRows,
    ...(explain && {
      explanation: await explainChanges(opened, { adjustments, both, maxPoints }, signal),
    }),
  };
}

/** Splits the difference by the changed inputs, as between two scenarios. */
async function explainChanges(
  { source, rowsBuildOnEachOther }: OpenSpan,
  {
    adjustments,
    both: { stored, panel },
    maxPoints,
  }: Pick<PreviewRequest, "adjustments" | "maxPoints"> & { both: PreviewSides },
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
      panel,
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
  const { spans: _, grouped: __, ...explanation } = await presentDifference({ stored, panel, split, window });
  return explanation;
}

/** @throws {DomainError} validation_failed for more rows than a preview predicts within a moment */
function requireShort(rowCount: number, rowsBuildOnEachOther: boolean, isPanel: boolean): void {
  const most = rowsBuildOnEachOther ? limits.previewRowsTogether : limits.previewRows;
  if (rowCount <= most) return;
  const message = `${isPanel ? "The chosen series have" : "The scenario has"} ${rowCount.toLocaleString("en")} rows. Previews of this model predict at most ${most.toLocaleString("en")}. Create a scenario with the adjustments.`;
  throw issueError("validation_failed", { code: "too_many_rows", message });
}
