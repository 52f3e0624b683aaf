import type { Importance } from "#lib/contract/models";
import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { KnownSeries } from "#lib/engine/forecasting/known-series";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import type { SeededRandom } from "#lib/engine/learners/seeded-random";
import type { FeatureContributions } from "./contributions.ts";
import type { PlainLearner } from "./evaluate.ts";
import type { Learner } from "./learner.ts";

/**
 * A model of any kind in use. Code that serves, explains, stores or compares models knows only this type.
 * `predictorOfLearner` creates it for models of this service, `openPredictor` for the files of any model.
 */
export type RowPredictor = {
  /** Whether predictions use known values of the target. */
  readsTarget: boolean;
  /** Whether later rows read the predictions or the inputs of earlier rows, so that a table is predicted as a whole. */
  rowsBuildOnEachOther: boolean;
  /**
   * Predicts rows. The caller selects the known series for each table, so the model is not bound to one series.
   *
   * @param known required if the model reads the target
   * @param keepFeatures whether the predictions will be explained
   */
  predict(table: Table, known: KnownSeries | null, keepFeatures?: boolean): Promise<RowPredictions>;
  /**
   * Returns the contributions to predictions of the table; null if the kind has none.
   *
   * @param rows result of `predict` with `keepFeatures`
   * @param places rows to explain, from 0; by default all
   */
  explain(
    table: Table,
    rows: RowPredictions,
    places?: readonly number[],
  ): Promise<FeatureContributions | null>;
  /** Returns the learner as plain data for another thread; null if impossible. */
  plain(): PlainLearner | null;
};

/** Predictor of a model that this service has trained. */
export type TrainedPredictor = RowPredictor & {
  /** Name of the kind of model, for a part of a blend. */
  name: string;
  /** Settings that the training found. */
  settings: Record<string, number | string>;
  /** Members of a combination; empty for other models. */
  members: PredictorMember[];
  /** Returns the mean weight of each member in the forecast of the steps after the known series. */
  memberWeights(known: KnownSeries | null, steps: number): number[];
  /** Returns the importance of each input feature, largest share first. */
  importance(sample: ImportanceSample): Promise<Importance[]>;
  /** Returns the model in ONNX, equal up to rounding to 32 bits; null if the kind cannot be exported. */
  exportOnnx(target: string): Promise<Uint8Array | null>;
  /** Returns the learner for a series that will be known only from a grid index on. */
  continuedFrom(known: KnownSeries, index: number): Learner;
};

/** `key` identifies the member in fits to other rows; `alone` predicts with this member only. */
export type PredictorMember = { key: string; name: string; alone: RowPredictor };

/** Rows that importance is computed on; the model was not fitted on the rows from `trainingRows` on. */
export type ImportanceSample = {
  table: Table;
  targets: Float64Array;
  trainingRows: number;
  known: KnownSeries | null;
  random: SeededRandom;
};

export type PredictorSettings = {
  pipeline: FeaturePipeline;
  /** Steps that the model forecasts ahead; null without a regular series. */
  horizon: number | null;
  /** Lower bound of predictions; null if unbounded. */
  floor: number | null;
  /** Whether the learner predicts the log-odds of the second of two classes: predictions are then probabilities. */
  isOfClasses: boolean;
};
