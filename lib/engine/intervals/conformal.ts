import { INTERVAL_LEVEL, type IntervalShape } from "#lib/contract/interval-shape";
import type { StepCoverage } from "#lib/contract/intervals";
import type { CalibrationRows } from "./calibration-rows.ts";
import type { ErrorScale } from "./error-scale.ts";
import type { Growth, Residual } from "./growth.ts";
import { fitShape } from "./shape.ts";
import { type CalibrationRange, fitWidths, halfWidth, type Widths } from "./widths.ts";

/**
 * Split conformal prediction intervals (Vovk et al. 2005; Lei et al. 2018). The half width is a high quantile of the
 * absolute residuals of rows that the model was not trained on. Residuals of a series usually grow with the steps ahead
 * and with the size of the prediction. Each residual is therefore divided by its growth factor (`growthAt`), and the
 * quantile is multiplied by the factor of the predicted row. A few rows suffice to fit the growth. With many rows,
 * ranges of steps and of predictions have quantiles of their own (Mondrian); without a series, only ranges of
 * predictions do.
 */
export type Calibration = {
  /** Nominal coverage. */
  level: number;
  ranges: CalibrationRange[];
  /** Growth of widths within and beyond `ranges`; absent in older calibrations. */
  growth?: Growth;
  /** Fraction of held-out rows inside an interval calibrated without them. Null with too few rows. */
  coverage: number | null;
  calibrationRows: number;
  /** Number of rows for the observed coverage; absent in older calibrations. */
  coverageRows?: number;
  /** Coverage by range of steps ahead, empty without a series; absent in older calibrations. */
  coverageBySteps?: StepCoverage[];
  /** Lower bound of all intervals: 0 for a target that is never negative; null if unbounded. */
  floor: number | null;
  /** Intervals at other levels and of sums; absent in older calibrations. */
  shape?: IntervalShape;
  /** Relative widths of rows; absent in older calibrations, with few rows, or if all rows err alike. */
  scale?: ErrorScale;
  /** Widths if this project's inputs are generated; absent without such inputs, a regular series or enough rows. */
  generated?: CalibratedWidths;
  /** Widths if only inputs of upstream projects are generated; absent without upstream projects or a regular series. */
  upstream?: CalibratedWidths;
};

/** The part of a calibration that determines the widths of intervals. */
export type CalibratedWidths = Pick<Calibration, "ranges" | "growth" | "shape">;

export const widthsOf = ({ ranges, growth, shape }: CalibratedWidths): CalibratedWidths => ({
  ranges,
  ...(growth && { growth }),
  ...(shape && { shape }),
});

const COVERAGE_ROWS_MIN = 10;
const STEP_PARTS = 3;
/** Fraction of rows in time order, the latest ones, that test the coverage. In random order, all rows test it. */
const COVERAGE_PART = 1 / 5;
/** Age, as a fraction of all rows, at which a residual in time order has half the weight. */
const HALF_LIFE = 0.1;

type CalibrationOptions = {
  /** Whether rows are in time order or random order. */
  order: "time" | "random";
  /** Expected power of the error's growth with the step: 1/2 for a random walk, 0 for independent rows. */
  expectedStepPower?: number;
  /** Absolute difference between the slope of the known values and the slope of far forecasts, per step. */
  slopeDifference?: number;
  /** Standard deviation of the noise in a series. */
  noise?: number;
  floor?: number | null;
};

/**
 * Calibrates on all rows with an actual value; returns null without such rows.
 *
 * The coverage is observed on rows that the tested calibration excludes. For rows in time order, the latest rows are
 * tested with a calibration on the earlier ones, as when the model serves. Otherwise each half of the rows is tested
 * with the other half's calibration (Vovk 2015).
 *
 * @param origins forecasts in time order; a single entry for rows in random order
 */
export function calibrate(
  origins: readonly CalibrationRows[],
  { order, expectedStepPower = 0, slopeDifference = 0, noise, floor = null }: CalibrationOptions,
): Calibration | null {
  const residuals = residualsOf(origins, order);
  if (residuals.length === 0) return null;
  const isSeries = origins.some(({ steps }) => steps !== null);
  const growthOptions = {
    expectedStepPower: isSeries ? expectedStepPower : null,
    rows: endOf(origins),
    slopeDifference,
    noise,
  };
  const fitTo = (some: readonly Residual[]) => fitWidths(some, growthOptions);
  const tested = testIntervals(calibrationSplits(residuals, order), fitTo);
  const widths = fitTo(residuals);
  return {
    level: INTERVAL_LEVEL,
    ...widths,
    coverage: tested.length === 0 ? null : shareInside(tested),
    calibrationRows: residuals.length,
    coverageRows: tested.length,
    coverageBySteps: isSeries ? bySteps(tested) : [],
    floor,
    shape: fitShape(residuals, widths, { floor, isSeries }),
  };
}

/** Returns the number of rows of the data up to the last forecast row. */
function endOf(origins: readonly CalibrationRows[]): number {
  return origins.reduce((most, { from = 0, actual }) => Math.max(most, from + actual.length), 0);
}

function residualsOf(origins: readonly CalibrationRows[], order: "time" | "random"): Residual[] {
  const end = endOf(origins);
  return origins.flatMap(({ actual, predicted, steps, scales, from = 0 }, origin) =>
    Array.from(actual, (value, row): Residual => {
      const age = end - 1 - (from + row);
      return {
        error: (value - predicted[row]!) / (scales?.[row] ?? 1),
        predicted: predicted[row]!,
        step: steps?.[row] ?? 1,
        weight: order === "time" ? 2 ** (-age / (HALF_LIFE * end)) : 1,
        origin,
        place: from + row,
      };
    }).filter(({ error }) => Number.isFinite(error)),
  );
}

/** Returns pairs of residuals to calibrate on and to test with. */
function calibrationSplits(
  residuals: readonly Residual[],
  order: "time" | "random",
): [Residual[], Residual[]][] {
  if (order === "random") {
    const [even, odd] = [0, 1].map((rest) => residuals.filter((_, at) => at % 2 === rest));
    return [
      [odd!, even!],
      [even!, odd!],
    ];
  }
  const cut = residuals[Math.floor(residuals.length * (1 - COVERAGE_PART))]?.origin ?? 0;
  // If the first origin reaches into the latest fifth, test the later half.
  if (cut === residuals[0]!.origin) {
    const half = Math.floor(residuals.length / 2);
    return [[residuals.slice(0, half), residuals.slice(half)]];
  }
  const tested = residuals.filter(({ origin }) => origin >= cut);
  // Forecasts from earlier origins may reach into the tested rows.
  const start = tested.reduce((least, { place }) => Math.min(least, place), Number.POSITIVE_INFINITY);
  return [[residuals.filter(({ place }) => place < start), tested]];
}

type Tested = { step: number; isInside: boolean };

/** Tests rows with intervals calibrated on other rows; returns none if either part is too small. */
function testIntervals(
  pairs: [Residual[], Residual[]][],
  fitTo: (some: readonly Residual[]) => Widths,
): Tested[] {
  const tooFew = pairs.some((pair) => pair.some((part) => part.length < COVERAGE_ROWS_MIN));
  if (tooFew) return [];
  return pairs.flatMap(([calibrating, tested]) => {
    const widths = fitTo(calibrating);
    return tested.map(({ error, predicted, step }) => ({
      step,
      isInside: Math.abs(error) <= halfWidth(widths, predicted, step),
    }));
  });
}

const shareInside = (tested: readonly Tested[]) =>
  tested.reduce((count, { isInside }) => count + (isInside ? 1 : 0), 0) / tested.length;

/** Returns the coverage of up to three parts of the horizon that have enough rows. */
function bySteps(tested: readonly Tested[]): StepCoverage[] {
  const longest = tested.reduce((most, { step }) => Math.max(most, step), 0);
  const count = Math.min(STEP_PARTS, longest);
  return Array.from({ length: count }, (_, i) => {
    const [fromStep, toStep] = [
      Math.floor((i * longest) / count) + 1,
      Math.floor(((i + 1) * longest) / count),
    ];
    const rows = tested.filter(({ step }) => step >= fromStep && step <= toStep);
    return { fromStep, toStep, coverage: shareInside(rows), rows: rows.length };
  }).filter(({ rows }) => rows >= COVERAGE_ROWS_MIN);
}

/**
 * Returns the lower and upper bound of each prediction.
 *
 * @param steps steps ahead, from 1; null if the model has no series
 * @param scales scale of each row's error; null if all are 1
 */
export function computeIntervals(
  calibration: Calibration,
  predictions: Float64Array,
  steps: Int32Array | null,
  scales: Float64Array | null = null,
): { lower: Float64Array; upper: Float64Array } {
  const lower = new Float64Array(predictions.length);
  const upper = new Float64Array(predictions.length);
  const { floor } = calibration;
  for (let row = 0; row < predictions.length; row++) {
    const value = predictions[row]!;
    const width = halfWidth(calibration, value, steps?.[row] ?? 1) * (scales?.[row] ?? 1);
    lower[row] = Math.max(value - width, floor ?? -Infinity);
    upper[row] = value + width;
  }
  return { lower, upper };
}
