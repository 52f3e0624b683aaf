import type { CalibrationRows } from "#lib/engine/intervals/calibration-rows";
import { type Calibration, calibrate } from "#lib/engine/intervals/conformal";
import { fitSharedErrors, type SumError, seriesSumWidth } from "#lib/engine/intervals/series-total";
import { fitDependence } from "#lib/engine/intervals/shape";
import { halfWidth } from "#lib/engine/intervals/widths";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { addEffects } from "#lib/engine/panel-model/remainder";
import type { PanelBackTests } from "./panel-backtests.ts";
import { groupsBy, levelsOf } from "./panel-metrics.ts";
import type { PanelData } from "./prepare-panel.ts";

/** Maximum number of errors that widths are fitted to. */
const ERRORS_MAX = 40_000;
/** Origins that the usual error of similar series counts as. A series' own errors from few origins are mostly chance. */
const PRIOR_ORIGINS = 3;

/**
 * Returns the typical error of each series: the mean absolute error of its back-tests, shrunk to its mean change times the
 * ratio that is usual for all series.
 *
 * @param changes mean absolute change of each series' remainder
 * @param remainders predicted remainders of the entries
 */
export function typicalErrors(
  tests: PanelBackTests,
  changes: Float64Array,
  remainders: Float64Array,
): Float64Array {
  const sums = new Float64Array(changes.length);
  const counts = new Float64Array(changes.length);
  const origins = Array.from(changes, () => new Set<number>());
  tests.places.forEach((place, at) => {
    const error = Math.abs(tests.remainders[at]! - remainders[at]!);
    if (Number.isNaN(error)) return;
    sums[place]! += error;
    counts[place]!++;
    origins[place]!.add(tests.ofOrigin[at]!);
  });
  const ratios = Array.from(changes, (change, place) => sums[place]! / counts[place]! / change)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const usual = ratios[ratios.length >> 1] ?? 1;
  return changes.map((change, place) => {
    const prior = usual * change;
    const own = counts[place]! > 0 ? sums[place]! / counts[place]! : prior;
    const weight = origins[place]!.size / (origins[place]!.size + PRIOR_ORIGINS);
    return weight * own + (1 - weight) * prior || change;
  });
}

/**
 * Calibrates intervals on errors divided by the typical error of their series and by the factor of their inputs.
 *
 * @returns the calibration, and the share of the actual values within the intervals of the sums of each level, and of single series
 */
export function calibratePanel(
  data: PanelData,
  tests: PanelBackTests,
  {
    predictions,
    errors,
    seed,
    floor,
  }: { predictions: Float64Array; errors: Float64Array; seed: number; floor: number | null },
): { calibration: Calibration | null; coverage: number[] | null } {
  const series = [...new Set(tests.places)];
  const perSeries = Math.max(1, tests.places.length / series.length);
  const count = Math.min(series.length, Math.ceil(ERRORS_MAX / perSeries));
  const chosen = new Set(Array.from(seededRandom(seed).sample(series.length, count), (at) => series[at]!));
  const blocks = new Map<string, number[]>();
  tests.places.forEach((place, at) => {
    if (!chosen.has(place)) return;
    const key = `${place},${tests.ofOrigin[at]}`;
    const block = blocks.get(key);
    if (block) block.push(at);
    else blocks.set(key, [at]);
  });
  const origins = [...blocks.values()]
    .map((block): CalibrationRows => {
      const pick = (values: Float64Array) => Float64Array.from(block, (at) => values[at]!);
      return {
        actual: pick(tests.actual),
        predicted: pick(predictions),
        steps: Int32Array.from(block, (at) => tests.steps[at]!),
        from: tests.ofOrigin[block[0]!]! - data.first,
        scales: Float64Array.from(block, (at) => scaleOf(tests, errors, at)),
      };
    })
    .sort((a, b) => a.from! - b.from!);
  const calibration = calibrate(origins, { order: "time", expectedStepPower: 0.5, floor });
  if (calibration?.shape === undefined) return { calibration, coverage: null };
  const widths = predictions.map(
    (value, at) => halfWidth(calibration, value, tests.steps[at]!) * scaleOf(tests, errors, at),
  );
  const levels = errorsOfSums(data, tests, predictions, widths);
  const sharedBySeries = fitSharedErrors(levels, calibration.level);
  const held = (sums: readonly SumError[]) =>
    sums.filter((one) => Math.abs(one.error) <= seriesSumWidth(one, sharedBySeries)).length / sums.length;
  // Errors of totals fade more slowly than those of single series, because what all series share lasts.
  const residuals = levels.flat().map((one) => ({ ...one, width: seriesSumWidth(one, sharedBySeries) }));
  const sumErrors = fitDependence(residuals, calibration.growth?.stepPower ?? 0);
  return {
    calibration: { ...calibration, shape: { ...calibration.shape, sharedBySeries, sumErrors } },
    coverage: [...levels.map(held), heldRows(tests, predictions, { widths, shared: sharedBySeries })],
  };
}

/** Returns the scale of an entry's error: the typical error of its series, multiplied by the factor of its inputs. */
function scaleOf({ fitted, places, sums }: PanelBackTests, errors: Float64Array, at: number): number {
  const { link } = fitted.learner;
  return errors[places[at]!]! * (link === "log" ? addEffects(link, 1, sums[at]!, 1) : 1);
}

/** Returns the share of the actual values of single series within their intervals. */
function heldRows(
  { actual }: PanelBackTests,
  predictions: Float64Array,
  { widths, shared }: { widths: Float64Array; shared: number },
): number {
  let [held, count] = [0, 0];
  actual.forEach((value, at) => {
    const error = value - predictions[at]!;
    if (Number.isNaN(error)) return;
    count++;
    const width = widths[at]!;
    if (Math.abs(error) <= seriesSumWidth({ widths: width, squares: width ** 2 }, shared)) held++;
  });
  return held / count;
}

/** Returns the errors of the sums of each level, at each origin and step. */
function errorsOfSums(
  data: PanelData,
  tests: PanelBackTests,
  predictions: Float64Array,
  widths: Float64Array,
): (SumError & { origin: number; place: number })[][] {
  const blocks = new Map<string, number>();
  return levelsOf(data).map((by) => {
    const groupOf = groupsBy(data, by);
    const blockOf = (group: string) => {
      const key = `${by.join()} ${group}`;
      if (!blocks.has(key)) blocks.set(key, blocks.size);
      return blocks.get(key)!;
    };
    const sums = new Map<string, SumError & { origin: number; place: number }>();
    tests.places.forEach((place, at) => {
      if (Number.isNaN(tests.actual[at]!)) return;
      const key = `${groupOf(place)},${tests.ofOrigin[at]},${tests.steps[at]}`;
      const [origin, step] = [tests.ofOrigin[at]!, tests.steps[at]!];
      const sum = sums.get(key) ?? {
        error: 0,
        widths: 0,
        squares: 0,
        origin: blockOf(`${groupOf(place)},${origin}`),
        place: origin + step,
      };
      sum.error += tests.actual[at]! - predictions[at]!;
      sum.widths += widths[at]!;
      sum.squares += widths[at]! ** 2;
      sums.set(key, sum);
    });
    return [...sums.values()];
  });
}
