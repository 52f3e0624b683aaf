import { counted } from "#lib/contract/counted";
import { stepsText } from "#lib/contract/duration-text";
import type { IntervalShape } from "#lib/contract/interval-shape";
import type { Table } from "#lib/contract/table";
import { knownPanel } from "#lib/engine/forecasting/known-panel";
import { type KnownSeries, knownSeries } from "#lib/engine/forecasting/known-series";
import type { RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { type Calibration, computeIntervals } from "#lib/engine/intervals/conformal";
import { errorScales } from "#lib/engine/intervals/error-scale";
import { squaredWidths } from "#lib/engine/intervals/shape";
import { findColumn } from "#lib/engine/table/columns";
import {
  type InputCheck,
  type InputWarning,
  SERIES_WARNING_CODES,
  type SeriesWarningCode,
} from "./check-input.ts";
import { checkModelInput } from "./check-panel-input.ts";
import type { FeatureContributions } from "./contributions.ts";
import type { ModelState } from "./file-schemas.ts";
import type { InputFeature } from "./input-features.ts";
import { logSeries } from "./log-series.ts";
import type { RowPredictor } from "./row-predictor.ts";

export type PredictOptions = {
  /** All known rows of the series, instead of those stored with the model: timestamp, target and inputs. */
  history?: Table | undefined;
  /** Names of the table's columns that were generated, so that their errors add to the intervals. */
  generated?: readonly string[] | undefined;
  /** Result of an earlier `checkInput` of the same table. */
  checked?: InputCheck;
  include?:
    | {
        intervals?: boolean | undefined;
        contributions?: boolean | undefined;
        /** Indices (from 0) of the rows to explain; by default all rows. */
        contributionRows?: readonly number[] | undefined;
      }
    | undefined;
};

export type PredictResult = {
  /** In the order of the input's rows. */
  predictions: Float64Array;
  /** Bounds of the prediction interval at `level`; absent if not requested, or if the model was never calibrated. */
  intervals?: {
    level: number;
    lower: Float64Array;
    upper: Float64Array;
    /** Absent for older models. */
    shape?: IntervalShape | undefined;
    /** Sum of the squared half widths as if no input were generated. `generatedShare` needs it; absent unless inputs were generated. */
    squaresIfGiven?: number;
  };
  contributions?: FeatureContributions;
  warnings: InputWarning[];
};

type SeriesState = Pick<
  ModelState,
  "target" | "timestamp" | "grid" | "horizon" | "floor" | "classes" | "learnedUntil" | "ignored" | "series"
>;

/** Metadata of a model that predictions of tables need; plain data, without the code that runs the model. */
export type PredictionMetadata = {
  state: SeriesState;
  inputFeatures: InputFeature[];
  calibration: Calibration | null;
};

type RunRows = (table: Table, options: PredictOptions) => Promise<RowPredictions>;

/** Thrown when `checkInput` finds issues in a table to predict. */
export class InputInvalid extends Error {
  override name = "InputInvalid";
  readonly check: InputCheck;
  constructor(check: InputCheck) {
    super(check.issues[0]?.message ?? "The input is invalid.");
    this.check = check;
  }
}

/**
 * Checks a table, predicts its rows and adds warnings and intervals. Does not compute contributions.
 *
 * @returns the answer, the row predictions, and the checked table
 * @throws InputInvalid if `checkInput` finds issues
 */
export async function predictTable(
  { state, inputFeatures, calibration }: PredictionMetadata,
  run: RunRows,
  table: Table,
  options: PredictOptions = {},
): Promise<{ answer: PredictResult; rows: RowPredictions; input: Table }> {
  const check = options.checked ?? checkModelInput(state, inputFeatures, table);
  if (check.issueCount > 0) throw new InputInvalid(check);
  const rows = await run(check.table, options);
  const { predictions, steps } = rows;
  const answer: PredictResult = {
    predictions,
    warnings: [...check.warnings, ...seriesWarnings(state, rows, check.table, firstTime(inputFeatures))],
  };
  if (options.include?.intervals && calibration) {
    const { level, shape } = calibration;
    const scales = calibration.scale
      ? errorScales(calibration.scale, check.table, predictions, steps)
      : (rows.scales ?? null);
    const given = { level, shape, ...computeIntervals(calibration, predictions, steps, scales) };
    answer.intervals = given;
    const widths = widthsFor(calibration, inputFeatures, options.generated);
    if (widths) {
      const squares = squaredWidths(predictions, given.upper);
      answer.intervals = {
        level,
        shape: widths.shape,
        ...computeIntervals({ ...calibration, ...widths }, predictions, steps, scales),
        squaresIfGiven: squares.reduce((sum, square) => (Number.isNaN(square) ? sum : sum + square), 0),
      };
    }
  }
  return { answer, rows, input: check.table };
}

/** Returns the widths for generated columns; undefined if none were generated, or if their errors are not known. */
function widthsFor(
  { generated: byInputs, upstream }: Calibration,
  inputFeatures: readonly InputFeature[],
  generated: readonly string[] = [],
) {
  if (generated.length === 0) return undefined;
  const upstreamNames = new Set(
    inputFeatures.filter(({ role }) => role === "upstream").map(({ name }) => name),
  );
  return generated.every((name) => upstreamNames.has(name)) ? upstream : byInputs;
}

/**
 * Returns a function that predicts tables from the known rows of the call, or else from those stored with the model.
 *
 * @param isOfLogs whether the predictor predicts, and reads, logarithms of the target
 */
export function runOnSeries(
  { state, history, isOfLogs = false }: { state: SeriesState; history: Table | null; isOfLogs?: boolean },
  predictor: RowPredictor,
): RunRows {
  const seriesOfRows = (rows: Table) => {
    const series = seriesOf(state, rows);
    return isOfLogs && series ? logSeries(series) : series;
  };
  const known = history ? seriesOfRows(history) : null;
  // Successive calls pass the same rows until newer ones arrive.
  const seriesByRows = new WeakMap<Table, KnownSeries | null>();
  const seriesFrom = (rows: Table) => {
    const series = seriesByRows.has(rows) ? seriesByRows.get(rows)! : seriesOfRows(rows);
    seriesByRows.set(rows, series);
    return series;
  };
  return (table, { history: rows, include }) =>
    predictor.predict(table, rows ? seriesFrom(rows) : known, include?.contributions);
}

function seriesOf(state: SeriesState, rows: Table): KnownSeries | null {
  const { grid, timestamp, target, classes, ignored = [], series } = state;
  if (series && grid && timestamp !== null)
    return knownPanel(rows, { columns: series.columns, timestamp, target, grid });
  // Models of classes do not look back at the target.
  return grid && timestamp !== null && classes === undefined
    ? knownSeries(rows, { timestamp, target, grid, ignored })
    : null;
}

function seriesWarnings(
  state: SeriesState,
  { steps, rowsWithoutHistory, rowsOfUnknownSeries = 0 }: RowPredictions,
  table: Table,
  first: number | null,
): InputWarning[] {
  const { horizon } = state;
  const farRows = horizon === null || !steps ? 0 : steps.reduce((n, step) => n + (step > horizon ? 1 : 0), 0);
  const counts: Record<SeriesWarningCode, number> = {
    incomplete_history: rowsWithoutHistory,
    beyond_horizon: farRows,
    ...rowsByTraining(state, table, first),
    unknown_series: rowsOfUnknownSeries,
  };
  return SERIES_WARNING_CODES.filter((code) => counts[code] > 0).map((code) =>
    seriesWarning(state, code, counts[code]),
  );
}

/** Returns the first time of the training rows, or null. */
function firstTime(features: readonly InputFeature[]): number | null {
  return features.find(({ role, type }) => role === "timestamp" && type === "timestamp")?.min ?? null;
}

/** Counts rows up to the last time that the model was fitted on, and rows before the first one. */
function rowsByTraining({ timestamp, learnedUntil }: SeriesState, table: Table, first: number | null) {
  const counts = { in_sample: 0, before_training: 0 };
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  if (times?.type !== "timestamp") return counts;
  for (const time of times.values) {
    if (first !== null && time < first) counts.before_training++;
    else if (typeof learnedUntil === "number" && time <= learnedUntil) counts.in_sample++;
  }
  return counts;
}

/** Returns the warning for rows that the model was fitted on. */
export function inSampleWarning(rows: number): InputWarning {
  const message = `${counted(rows, "row was", "rows were")} part of the training data. Expect larger errors on new rows.`;
  return { code: "in_sample", message, column: null, rows };
}

/** Returns a warning about the position of rows in the series. */
export function seriesWarning(
  { target, timestamp, horizon, grid, series }: SeriesState,
  code: SeriesWarningCode,
  rows: number,
): InputWarning {
  if (code === "unknown_series") {
    const names = (series?.columns ?? []).map((name) => `"${name}"`).join(", ");
    const message = `${counted(rows, "row belongs", "rows belong")} to series that the model has not learned. Their level is estimated from ${names} and other columns of texts.`;
    return { code, message, column: series?.columns[0] ?? null, rows };
  }
  if (code === "in_sample") {
    const message = `${counted(rows, "row lies", "rows lie")} within the training period. Expect larger errors in a real forecast.`;
    return { code, message, column: timestamp, rows };
  }
  if (code === "before_training") {
    const message = `${counted(rows, "row lies", "rows lie")} before the first row of the training data. Check the times: the model knows nothing of that period.`;
    return { code, message, column: timestamp, rows };
  }
  if (code === "incomplete_history") {
    const message = `Earlier values of "${target}" that the model needs are missing for ${counted(rows, "row")}.`;
    return { code, message, column: target, rows };
  }
  const validated = stepsText(horizon ?? 0, grid?.frequency ?? null);
  const message = `${counted(rows, "row lies", "rows lie")} more than ${validated} after the last known row. The model was not validated that far ahead.`;
  return { code, message, column: timestamp, rows };
}
