import type { Table } from "#lib/contract/table";
import { buildFeatures } from "#lib/engine/features/build-features";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { exp } from "#lib/engine/learners/exp";
import { type LinearModel, predictLinear, type RowOrder } from "#lib/engine/learners/linear-design";
import { trainRidge } from "#lib/engine/learners/ridge";
import { takeRows } from "#lib/engine/table/rows";
import type { CalibrationRows } from "./calibration-rows.ts";

/**
 * Relative size of the errors of a row, by calendar, inputs, prediction and step. Example: rentals at 3 a.m. err by 5, and
 * by 60 at 6 p.m. A width for both is too wide at night and too narrow in the evening. Each error is divided by the scale of
 * its row before widths are calibrated, and the width of a predicted row is multiplied by its scale (Lei et al. 2018, section 5.2).
 */
export type ErrorScale = {
  /** Features of calendar and inputs. */
  pipeline: FeaturePipeline;
  /** Size of a typical prediction. */
  unit: number;
  /** Predicts the logarithm of the scale from these features, the prediction and the step; 0 on average. */
  model: Pick<LinearModel, "coefficients" | "means">;
};

/** Minimum number of errors: the logarithm of one error has a standard deviation of about 1.1. */
const ERRORS_MIN = 200;
/** Smallest error that counts as more than 0, as a fraction of the mean. */
const LEAST = 1e-3;
/** Maximum ratio between the scale of a row and the mean scale. */
const RATIO_MAX = 20;
/** Minimum standard deviation of the logarithm of the scale. Smaller differences are noise. */
const SPREAD_MIN = 0.1;

/** Number of blocks of rows whose errors get the scale of a fit to the other blocks. */
const BLOCKS = 4;

/** A fitted scale, and the errors of the origins with scales of fits that excluded them. */
type FittedScale = { scale: ErrorScale; origins: CalibrationRows[] };

/**
 * Fits the scale by ridge regression of logarithms of absolute errors. Returns null with few errors, or if they are of
 * similar size everywhere. The scales of the errors themselves come from fits to other blocks of rows: a fit describes its own
 * errors too well, and intervals would be too narrow.
 *
 * @param table the rows that the errors' places refer to
 */
export function fitErrorScale(
  pipeline: FeaturePipeline,
  table: Table,
  origins: readonly CalibrationRows[],
  order: RowOrder,
): FittedScale | null {
  const found = origins.flatMap(({ actual, predicted, steps, from = 0 }) =>
    Array.from(actual, (value, row) => ({
      place: from + row,
      error: Math.abs(value - predicted[row]!),
      predicted: predicted[row]!,
      step: steps?.[row] ?? 1,
    })).filter(({ error }) => Number.isFinite(error)),
  );
  const errors = found.toSorted((a, b) => a.place - b.place);
  const mean = errors.reduce((sum, { error }) => sum + error, 0) / errors.length;
  if (errors.length < ERRORS_MIN || !(mean > 0)) return null;
  const unit = errors.reduce((sum, { predicted }) => sum + Math.abs(predicted), 0) / errors.length || 1;
  const columns = scaleColumns(
    { pipeline, unit },
    takeRows(
      table,
      errors.map(({ place }) => place),
    ),
    Float64Array.from(errors, ({ predicted }) => predicted),
    Int32Array.from(errors, ({ step }) => step),
  );
  const logs = Float64Array.from(errors, ({ error }) => Math.log(Math.max(error, LEAST * mean)));
  const { coefficients, means, alpha } = trainRidge(columns, logs, { order });
  const fitted = predictLinear(centred({ coefficients, means }), columns);
  const spread = Math.sqrt(fitted.reduce((sum, value) => sum + value ** 2, 0) / fitted.length);
  if (spread < SPREAD_MIN) return null;
  const [first, last] = [errors[0]!.place, errors.at(-1)!.place];
  const blockOf = (place: number) =>
    Math.min(BLOCKS - 1, Math.floor((BLOCKS * (place - first)) / (last - first + 1)));
  const fits = Array.from({ length: BLOCKS }, (_, block): ErrorScale => {
    const rows = [...errors.keys()].filter((at) => blockOf(errors[at]!.place) !== block);
    const part = columns.map((column) => Float32Array.from(rows, (at) => column[at]!));
    const model = trainRidge(
      part,
      Float64Array.from(rows, (at) => logs[at]!),
      { alpha, order },
    );
    return { pipeline, unit, model: { coefficients: model.coefficients, means } };
  });
  const scaled = origins.map((rows) => {
    const { from = 0, actual, predicted, steps } = rows;
    const places = Array.from(actual, (_, row) => from + row);
    const known = takeRows(table, places);
    const byBlock = fits.map((fit) => errorScales(fit, known, predicted, steps));
    const scales = Float64Array.from(places, (place, row) => byBlock[blockOf(place)]![row]!);
    return { ...rows, scales };
  });
  return { scale: { pipeline, unit, model: { coefficients, means } }, origins: scaled };
}

/** Returns the scale of each row, relative to the mean. */
export function errorScales(
  scale: ErrorScale,
  table: Table,
  predictions: Float64Array,
  steps: Int32Array | null,
): Float64Array {
  const logs = predictLinear(centred(scale.model), scaleColumns(scale, table, predictions, steps));
  const most = Math.log(RATIO_MAX);
  return logs.map((value) => (Number.isNaN(value) ? 1 : exp(Math.min(most, Math.max(-most, value)))));
}

/** Returns the model with the value 0 at the means. */
function centred({ coefficients, means }: ErrorScale["model"]): LinearModel {
  const intercept = -coefficients.reduce((sum, coefficient, at) => sum + coefficient * means[at]!, 0);
  return { kind: "linear", coefficients, means, intercept };
}

function scaleColumns(
  { pipeline, unit }: Pick<ErrorScale, "pipeline" | "unit">,
  table: Table,
  predictions: Float64Array,
  steps: Int32Array | null,
): Float32Array[] {
  return [
    ...buildFeatures(pipeline, table).columns,
    // Close to a logarithm for large predictions, and defined for all.
    Float32Array.from(predictions, (value) => Math.asinh((4 * value) / unit)),
    Float32Array.from(predictions, (_, row) => Math.log(steps?.[row] ?? 1)),
  ];
}
