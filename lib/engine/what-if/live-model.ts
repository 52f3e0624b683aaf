import type { Aggregate, BucketUnit } from "#lib/contract/buckets";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Adjustment } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import { inputAdjustments, stillGenerated } from "#lib/engine/inference/adjustments";
import { type PlainModel, predictorOf } from "#lib/engine/inference/plain-model";
import { pointBounds } from "#lib/engine/intervals/point-bounds";
import { compareScenarios, type ScenarioSeries } from "#lib/engine/series/compare-scenarios";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import { wireNumbers } from "#lib/engine/series/summary";

/** A scenario and its model as plain data: all that a page needs to predict edited inputs. */
export type LiveModel = {
  plain: PlainModel;
  /** Input of the scenario, with columns in the order of the model's features. */
  table: Table;
  /** Names of the generated columns. */
  generated: readonly string[];
  /** Known rows of the series. Absent: the rows that the model keeps. */
  history?: Table | undefined;
  /** Name of the time column; null without times. */
  timestamp: string | null;
  /** Stored predictions of the scenario. */
  saved: Pick<ScenarioSeries, "timestamps" | "prediction">;
  /** Default aggregation; null without times. */
  bucketing: { aggregate: Aggregate; timezone: string } | null;
};

/** Points and intervals of a chart, as in a preview request. */
export type LiveOptions = {
  maxPoints?: number | undefined;
  levels: readonly number[];
  bucket?: BucketUnit | "auto" | undefined;
  aggregate?: Aggregate | undefined;
};

/** The parts of a preview that one pass of the model gives. */
export type LivePreview = Pick<
  ScenarioPreview,
  "timestamps" | "rows" | "buckets" | "preview" | "totalDifference" | "percentDifference"
> & { saved: Pick<ScenarioPreview["saved"], "values"> };

/** Predicts adjusted inputs. Returns null if the adjustments cannot be applied. */
export type PredictLive = (
  adjustments: readonly Adjustment[],
  options: LiveOptions,
) => Promise<LivePreview | null>;

/**
 * Opens a live model. Its previews equal those of the service to the bit. Returns null if its predictions of the saved inputs
 * differ from the stored ones, as they can in a browser with other time zone data or another `Math.exp`. The service must
 * then predict.
 */
export async function openLiveModel(live: LiveModel): Promise<PredictLive | null> {
  const { plain, table, generated, history, timestamp, saved } = live;
  const predict = predictorOf(plain);
  if (predict === null) return null;
  const { predictions } = await predict(table, { history });
  const isSame = (value: number, row: number) => Object.is(value, saved.prediction[row]);
  if (predictions.length !== saved.prediction.length || !predictions.every(isSame)) return null;
  return async (adjustments, { maxPoints, levels, bucket: unit, aggregate }) => {
    const adjusted = applyAdjustments(table, inputAdjustments(adjustments), timestamp);
    if (!adjusted.ok) return null;
    const { predictions: prediction, intervals } = await predict(adjusted.table, {
      history,
      generated: stillGenerated(generated, adjustments),
      include: { intervals: true },
    });
    const { lower = null, upper = null, shape = null } = intervals ?? {};
    const bucketing =
      unit && live.bucketing ? { ...live.bucketing, ...(aggregate && { aggregate }), unit } : undefined;
    const { timestamps } = saved;
    const compared = compareScenarios(
      [
        { scenarioId: "saved", ...saved },
        { scenarioId: "preview", timestamps, prediction, upper },
      ],
      "saved",
      { ...(maxPoints && { maxPoints }), ...(bucketing && { bucket: bucketing }) },
    );
    const {
      series,
      rowOf: _,
      pointCount: __,
      actual: ___,
      spans: ____,
      commonSpan: _____,
      sent: ______,
      bucketed,
      ...axis
    } = compared;
    const { values, totalDifference, percentDifference } = series[1]!;
    const at = (bounds: Float64Array | null, rows: Int32Array) =>
      bounds && Float64Array.from(rows, (row) => bounds[row] ?? Number.NaN);
    const boundsAt = (rows: Int32Array) => ({ lower: at(lower, rows), upper: at(upper, rows) });
    return {
      ...axis,
      ...presentBuckets(bucketed, bucketing),
      saved: { values: wireNumbers(series[0]!.values) },
      preview: {
        values: wireNumbers(values),
        ...(await pointBounds(compared, 1, boundsAt, { levels, shape, aggregate: bucketing?.aggregate })),
      },
      totalDifference,
      percentDifference,
    };
  };
}
