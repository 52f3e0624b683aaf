import { addMoments, emptyMoments, type Moments, sumMoments } from "./moments.ts";

/** Prediction = intercept + Σ coefficient × x, in the features' own units. */
export type LinearModel = {
  kind: "linear";
  coefficients: Float64Array;
  intercept: number;
  /** Mean of each training column: the value at which a feature contributes nothing. */
  means: Float64Array;
  /** Standard deviation of each training column. */
  deviations?: Float64Array;
  /** Penalty of the fit, per standardised column. */
  alpha?: number;
  /** Fraction of the penalty on the coefficients' absolute values; absent for ridge. */
  l1Ratio?: number;
};

/** Order of rows: `time` if the order carries time, so that later rows are predicted from earlier ones. */
export type RowOrder = "time" | "random";

/** Training data of linear models: sums over consecutive blocks of standardised rows. */
export type LinearDesign = {
  blocks: Moments[];
  scaling: Scaling[];
  targetMean: number;
};

export type Scaling = {
  mean: number;
  /** 1 / standard deviation; 0 for a constant column. */
  perDeviation: number;
  /** Subtracted before summing: the mean, or 0 if most values are 0, so that zeros add nothing. */
  offset: number;
};

/** Weights of standardised columns, and the intercept for the target minus its mean. */
export type Solution = { weights: Float64Array; intercept: number };

const BLOCKS = 5;
/** Minimum number of rows in a block that serves as validation data. */
const BLOCK_ROWS_MIN = 4;

/**
 * Standardises the columns and sums the rows in blocks. @throws RangeError for columns of unequal length, or values
 * that are missing or infinite.
 */
export function linearDesign(columns: Float32Array[], target: Float64Array): LinearDesign {
  checkData(columns, target);
  const scaling = columns.map(standardisation);
  const targetMean = target.reduce((sum, y) => sum + y, 0) / target.length;
  const blocks = Array.from({ length: BLOCKS }, (_, block) => {
    const from = Math.floor((block * target.length) / BLOCKS);
    const to = Math.floor(((block + 1) * target.length) / BLOCKS);
    const moments = emptyMoments(columns.length);
    addMoments(moments, columns, scaling, target, targetMean, from, to);
    return moments;
  });
  return { blocks, scaling, targetMean };
}

/** Returns the splits on which penalties are compared; empty if there are too few rows. */
export function penaltySplits(
  { blocks }: LinearDesign,
  order: RowOrder,
): { train: Moments; test: Moments }[] {
  if (blocks.some((block) => block.count < BLOCK_ROWS_MIN)) return [];
  return blocks.flatMap((test, at) => {
    if (order === "time" && at === 0) return [];
    const train = order === "time" ? blocks.slice(0, at) : blocks.filter((block) => block !== test);
    return [{ train: sumMoments(train), test }];
  });
}

/** Returns the model in the features' own units. */
export function linearModel(
  { scaling, targetMean }: Pick<LinearDesign, "scaling" | "targetMean">,
  { weights, intercept }: Solution,
  penalty: { alpha: number; l1Ratio?: number },
): LinearModel {
  const coefficients = weights.map((weight, feature) => weight * scaling[feature]!.perDeviation);
  const atOffsets = coefficients.reduce((sum, c, feature) => sum + c * scaling[feature]!.offset, 0);
  return {
    kind: "linear",
    coefficients,
    intercept: targetMean + intercept - atOffsets,
    means: Float64Array.from(scaling, ({ mean }) => mean),
    deviations: Float64Array.from(scaling, ({ perDeviation }) => (perDeviation > 0 ? 1 / perDeviation : 0)),
    ...penalty,
  };
}

/** Predicts each row in float64. */
export function predictLinear(model: LinearModel, columns: Float32Array[]): Float64Array {
  const { coefficients, means, intercept } = model;
  const atMeans = coefficients.reduce(
    (sum, coefficient, feature) => sum + coefficient * means[feature]!,
    intercept,
  );
  const predictions = new Float64Array(columns[0]?.length ?? 0).fill(atMeans);
  columns.forEach((column, feature) => {
    const coefficient = coefficients[feature]!;
    if (coefficient === 0) return;
    const mean = means[feature]!;
    for (let row = 0; row < column.length; row++) predictions[row]! += coefficient * (column[row]! - mean);
  });
  return predictions;
}

/** Computes in two passes, which avoids cancellation for large means. */
export function standardisation(column: Float32Array): Scaling {
  let sum = 0;
  let zeros = 0;
  for (const x of column) {
    sum += x;
    if (x === 0) zeros++;
  }
  const mean = sum / column.length;
  let squares = 0;
  for (const x of column) squares += (x - mean) ** 2;
  const deviation = Math.sqrt(squares / column.length);
  return {
    mean,
    // A standard deviation this far below float32's resolution at the mean is rounding error, not information.
    perDeviation: deviation > Math.abs(mean) * 1e-12 ? 1 / deviation : 0,
    offset: zeros * 2 > column.length ? 0 : mean,
  };
}

export function checkData(columns: Float32Array[], target: Float64Array): void {
  if (target.length === 0) throw new RangeError("There are no rows.");
  if (columns.some((column) => column.length !== target.length)) {
    throw new RangeError(`Every column must have as many values as the target: ${target.length}.`);
  }
  const known = (x: number) => Number.isFinite(x);
  if (!target.every(known)) throw new RangeError("The target has missing or infinite values.");
  const faulty = columns.findIndex((column) => !column.every(known));
  if (faulty >= 0) throw new RangeError(`Column ${faulty} has missing or infinite values.`);
}
