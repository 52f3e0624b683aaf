import type { IntervalShape } from "#lib/contract/interval-shape";
import type { Adjustment, Summary } from "#lib/contract/scenarios";
import { inFeatureOrder } from "#lib/domain/models/linked/series-tables";
import { openModel } from "#lib/domain/models/open-model";
import { rowsPredictor } from "#lib/domain/models/rows-predictor";
import type { StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import { adjustmentError } from "#lib/domain/scenarios/run/adjust-input";
import { seriesIssues } from "#lib/domain/scenarios/run/adjust-rows";
import { checkInputTable, predictScenario } from "#lib/domain/scenarios/run/predict-scenario";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import { inputAdjustments, stillGenerated } from "#lib/engine/inference/adjustments";
import type { StoredTotals } from "#lib/engine/intervals/stored-totals";
import type { SpanSource } from "./try-inputs.ts";

type PredictAdjusted = Pick<SpanSource, "artifactKey" | "inputKey" | "history" | "timestamp"> & {
  /** Rows to read, from 0; null: all. Only for rows that do not build on each other. */
  rows: Int32Array | null;
  adjustments: readonly Adjustment[];
  /** Whether later rows read the predictions of earlier rows. */
  rowsBuildOnEachOther: boolean;
};

export type AdjustedPredictions = Omit<StoredSeries, "timestamps"> & {
  summary: Summary;
  /** Intervals at other levels; null for a model without them. */
  intervals: IntervalShape | null;
  totals: StoredTotals;
  /** Number of rows that each adjustment changes. */
  changedRows: number[];
};

/**
 * Predicts a scenario's rows with adjusted inputs, as the job of a scenario with these adjustments does.
 *
 * @throws {DomainError} validation_failed for adjustments that cannot be applied, input_invalid for values that the model
 *   cannot use; and the errors of `StoredInput.readAll` and `StoredInput.take`
 */
export async function predictAdjusted({
  artifactKey,
  inputKey,
  history,
  timestamp,
  rows,
  adjustments,
  rowsBuildOnEachOther,
}: PredictAdjusted): Promise<AdjustedPredictions> {
  const model = await openModel(artifactKey);
  const input = await StoredInput.open(inputKey);
  const changes = inputAdjustments(adjustments);
  const ofSeries = seriesIssues(changes, model.state.series?.columns ?? []);
  if (ofSeries.length > 0) throw adjustmentError(ofSeries);
  const read = await (rows === null ? input.readAll() : input.take(rows));
  const adjusted = applyAdjustments(read, changes, timestamp);
  if (!adjusted.ok) throw adjustmentError(adjusted.issues);
  const table = inFeatureOrder(model.inputFeatures, adjusted.table);
  const project = { model, facts: timestamp === null ? null : { timestamp } };
  checkInputTable(project, table);
  const generated = stillGenerated(input.generated, adjustments);
  const parts: StoredSeries[] = [];
  await using predictor = rowsPredictor({ model, artifactKey, history, generated }, 0);
  const { summary, intervals, totals } = await predictScenario(
    project,
    { rowCount: table.rowCount, blocks: [table], areReadOnce: false },
    {
      rowsBuildOnEachOther,
      predictor,
      history,
      members: await model.members(),
      chunks: { add: async (part) => void parts.push(part) },
      onRows: async () => {},
    },
  );
  const joined = (name: "prediction" | "lower" | "upper") =>
    parts.every((part) => part[name] === null)
      ? null
      : Float64Array.from(parts.flatMap((part) => Array.from(part[name]!)));
  return {
    prediction: joined("prediction") ?? new Float64Array(0),
    lower: joined("lower"),
    upper: joined("upper"),
    summary,
    intervals,
    totals,
    changedRows: adjusted.changedRows,
  };
}
