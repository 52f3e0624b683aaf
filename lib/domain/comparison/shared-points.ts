import type { TimedPredictions } from "#lib/domain/scenarios/chunks/read-predictions";
import type { Alignment } from "#lib/engine/series/align";
import { alignCompared } from "./compared-rows.ts";
import type { PanelPoints } from "./panel-points.ts";

/** Points of a baseline and of the scenario that is compared with it. */
export type StoredPair = readonly [TimedPredictions, TimedPredictions];

/** Two scenarios aligned on one axis, and the points at which both have a prediction. */
type SharedPoints = { alignment: Alignment; common: Int32Array };

/**
 * @param panel points of scenarios with many series; only those of chosen series are common
 * @throws {DomainError} validation_failed if the two scenarios have too many points to align
 */
export function sharedPoints(stored: StoredPair, panel: PanelPoints | null = null): SharedPoints {
  const alignment = panel
    ? { ...panel, timestamps: null }
    : alignCompared(
        stored.map(({ prediction, timestamps }) => ({ rowCount: prediction.length, timestamps })),
      );
  const [before, after] = stored;
  const [rowBefore, rowAfter] = [alignment.rowOf[0]!, alignment.rowOf[1]!];
  const points = new Int32Array(alignment.length);
  let count = 0;
  for (let point = 0; point < alignment.length; point++) {
    // Row -1 has no value.
    const isShared =
      Number.isFinite(before.prediction[rowBefore[point]!]) &&
      Number.isFinite(after.prediction[rowAfter[point]!]);
    if (isShared && panel?.chosen[point] !== 0) points[count++] = point;
  }
  return { alignment, common: points.subarray(0, count) };
}
