import type { CheckpointRecord } from "#lib/contract/actuals";
import { type CheckpointRef, findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { seriesSources } from "#lib/domain/models/linked/serving-series";
import type { Context } from "#lib/platform/context/context";
import { costOfMeasuring, runMeasuringTask } from "./measuring-tasks.ts";

type RecordRequest = CheckpointRef & { maxPoints?: number | undefined };

/**
 * Measures a checkpoint's errors over the rows that arrived after its model's data ended, beside the naive forecast's
 * errors. Of many series: over the rows of sampled series, and the chart shows their sums.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function checkpointRecord(
  { db, signal }: Context,
  { maxPoints, ...ref }: RecordRequest,
): Promise<CheckpointRecord> {
  const checkpoint = await findCheckpoint(db, ref);
  const { id, projectId, artifactKey, sha256, trainingMetrics } = checkpoint;
  const sources = await seriesSources(db, projectId, { checkpointId: id, artifactKey, sha256 });
  const row = { id, projectId, artifactKey, trainingMetrics };
  const bytes = costOfMeasuring(checkpoint, sources);
  return runMeasuringTask("record", { row, sources, maxPoints }, { bytes, signal });
}
