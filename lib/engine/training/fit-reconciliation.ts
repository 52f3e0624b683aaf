import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import type { PanelLearner } from "#lib/engine/panel-model/panel-learner";
import type { Reconciliation } from "#lib/engine/panel-model/reconciliation";
import { addEffects } from "#lib/engine/panel-model/remainder";
import { startCombination } from "#lib/engine/series-methods/combination";
import { fitCombination } from "#lib/engine/series-methods/fit-combination";
import { calendarSums } from "./calendar-sums.ts";
import { type Corrector, correctorOf, usefulLevels } from "./divide-differences.ts";
import type { FittedPanel, PanelSettings } from "./fit-panel-learner.ts";
import { type PanelBackTests, predictionsOf } from "./panel-backtests.ts";
import { typicalErrors } from "./panel-intervals.ts";
import type { PanelData } from "./prepare-panel.ts";
import { type Parts, startSums, type Totals, totalsOf } from "./totals-of-series.ts";

/** Minimum number of known values of a total that methods are fitted to. */
const KNOWN_MIN = 10;
/** Maximum number of corrections in a model: 8 MB. Later steps repeat the last season. */
const CORRECTIONS_MAX = 1_000_000;

/** Totals whose forecasts correct those of series, and remainders that the back-tests predict with the corrections. */
export type TestedTotals = { totals: Totals; corrected: Float64Array; correct: Corrector };

/**
 * Tries own forecasts of totals at the origins of the back-tests. Totals have their seasons and usual inputs. Returns null if
 * sums of the series' own forecasts err less, or if there are no totals.
 *
 * @param remainders predicted remainders of the entries, without corrections
 * @throws TrainingCancelled
 */
export function testTotals(
  data: PanelData,
  tests: PanelBackTests,
  remainders: Float64Array,
  settings: PanelSettings,
): TestedTotals | null {
  const totals = totalsOf(data);
  if (!totals) return null;
  const { origins, fitted } = tests;
  const { horizon, first } = data;
  const { link } = settings;
  const { scales } = fitted.learner;
  const width = origins.length * horizon;
  const parts: Parts = { ...usualSizes(fitted), isActive: activeIn(data, tests) };
  const column = (at: number) => origins.indexOf(tests.ofOrigin[at]!) * horizon + tests.steps[at]! - 1;
  const calendar = calendarSums(data, settings.pipeline);
  const calendarOf = entriesBySeries(tests, (place) => calendar(fitted.learner, place), first, data);
  const sumsOf = (values: Float64Array) => {
    const sums = startSums(totals, parts, width);
    tests.places.forEach((place, at) => {
      if (Number.isNaN(tests.remainders[at]!)) return;
      sums.add(place, column(at), addEffects(link, values[at]!, calendarOf[at]!, scales[place]!));
    });
    return sums.totals();
  };
  const [actual, base] = [sumsOf(tests.remainders), sumsOf(remainders)];
  const before = pastOf(data, totals, { parts, fitted, calendar, until: origins[0]! });
  const ahead = new Float64Array(totals.count * width);
  const changes = new Float64Array(totals.count);
  for (let total = 0; total < totals.count; total++) {
    if (settings.shouldStop()) throw new TrainingCancelled();
    const past = rowOf(before, totals.count, total);
    const values = Float64Array.from([...past, ...rowOf(actual, totals.count, total)]);
    const running = startTotal(past, settings, first);
    origins.forEach((origin, at) => {
      running.advance({ values, firstIndex: first }, origin);
      ahead.set(bounded(running.forecast(horizon).values, link), total * width + at * horizon);
    });
    changes[total] = meanChange(past);
  }
  const ofTotals = meanErrors(actual, ahead, totals.count);
  const levels = usefulLevels(totals, { changes, ofTotals, ofBase: meanErrors(actual, base, totals.count) });
  const correct = correctorOf(totals, {
    levels,
    ofTotals,
    ofSums: base.map((value, at) => actual[at]! - value),
    ofSeries: typicalErrors(tests, fitted.learner.errors, remainders),
    isActive: parts.isActive,
  });
  const corrections = correct(
    ahead.map((value, at) => value - base[at]!),
    parts.isActive,
  );
  const corrected = remainders.map((value, at) => {
    const place = tests.places[at]!;
    const correction = corrections[place * width + column(at)]!;
    return boundedValue(value + unscaled(link, correction, calendarOf[at]!), link);
  });
  const missed = (values: Float64Array) =>
    sumErrors(tests, totals, { values, changes, column, width, parts });
  return missed(corrected) < missed(remainders) ? { totals, corrected, correct } : null;
}

/**
 * Returns the corrections of a model's forecasts of the steps after all rows.
 *
 * @param ahead returns the predicted remainders of a series at the steps after its rows
 * @throws TrainingCancelled
 */
export function fitReconciliation(
  data: PanelData,
  fitted: FittedPanel,
  { totals, correct }: TestedTotals,
  settings: PanelSettings,
  ahead: (place: number) => Float64Array,
): Reconciliation {
  const { horizon, first, end } = data;
  const { link } = settings;
  const { learner } = fitted;
  const isActive = Uint8Array.from(data.index.values, (_, place) =>
    data.cells[data.starts[place + 1]! - 1]! >= end - horizon ? 1 : 0,
  );
  const parts: Parts = { ...usualSizes(fitted), isActive };
  const calendar = calendarSums(data, settings.pipeline);
  const past = pastOf(data, totals, { parts, fitted, calendar, until: end });
  const sums = startSums(totals, parts, horizon);
  isActive.forEach((active, place) => {
    if (!active) return;
    const effects = calendar(learner, place).subarray(end - first);
    ahead(place).forEach((value, step) => {
      sums.add(place, step, addEffects(link, value, effects[step]!, learner.scales[place]!));
    });
  });
  const base = sums.totals();
  const differences = new Float64Array(totals.count * horizon);
  for (let total = 0; total < totals.count; total++) {
    if (settings.shouldStop()) throw new TrainingCancelled();
    const values = rowOf(past, totals.count, total);
    const running = startTotal(values, settings, first);
    running.advance({ values, firstIndex: first }, end);
    bounded(running.forecast(horizon).values, link).forEach((value, step) => {
      differences[total * horizon + step] = value - base[total * horizon + step]!;
    });
  }
  const steps = Math.min(
    horizon,
    Math.max(settings.season, Math.floor(CORRECTIONS_MAX / data.index.values.length)),
  );
  const all = correct(differences, isActive);
  const corrections = new Float64Array(data.index.values.length * steps);
  isActive.forEach((active, place) => {
    if (!active) return;
    const effects = calendar(learner, place).subarray(end - first);
    for (let step = 0; step < steps; step++)
      corrections[place * steps + step] = unscaled(link, all[place * horizon + step]!, effects[step]!);
  });
  return { from: end, steps, season: settings.season, corrections };
}

function startTotal(past: Float64Array, { seasons }: PanelSettings, first: number) {
  const known = past.filter((value) => !Number.isNaN(value)).length;
  const fitted = known < KNOWN_MIN ? { methods: [] } : fitCombination(past, seasons, first);
  return startCombination({ ...fitted, mean: meanOf(past) });
}

/** Returns a change of a value with effects as a change of its remainder. */
function unscaled(link: PanelLearner["link"], change: number, sum: number): number {
  return link === "log" ? change / addEffects(link, 1, sum, 1) : change;
}

/** Returns the calendar's effects on the entries of the back-tests. */
function entriesBySeries(
  { places, rows }: PanelBackTests,
  sumsOf: (place: number) => Float64Array,
  first: number,
  { cells }: PanelData,
): Float64Array {
  const found = new Float64Array(places.length);
  let sums = new Float64Array();
  places.forEach((place, at) => {
    if (place !== places[at - 1]) sums = sumsOf(place) as Float64Array<ArrayBuffer>;
    found[at] = sums[cells[rows[at]!]! - first]!;
  });
  return found;
}

function usualSizes({ learner }: FittedPanel) {
  return { means: Float64Array.from(learner.local, ({ mean }) => mean), scales: learner.scales };
}

/** Returns which series have entries at the first and the last origin. */
function activeIn(data: PanelData, { origins, places, ofOrigin }: PanelBackTests): Uint8Array {
  const seen = new Uint8Array(data.index.values.length);
  places.forEach((place, at) => {
    if (ofOrigin[at] === origins[0]) seen[place]! |= 1;
    if (ofOrigin[at] === origins.at(-1)) seen[place]! |= 2;
  });
  return seen.map((both) => (both === 3 ? 1 : 0));
}

/** Returns the remainders of totals before a grid index, one row for each total. */
function pastOf(
  data: PanelData,
  totals: Totals,
  {
    parts,
    fitted: { learner, remainders },
    calendar,
    until,
  }: { parts: Parts; fitted: FittedPanel; calendar: ReturnType<typeof calendarSums>; until: number },
): Float64Array {
  const sums = startSums(totals, parts, until - data.first);
  remainders.forEach(({ values, firstIndex }, place) => {
    if (!parts.isActive[place]) return;
    const effects = calendar(learner, place);
    values.forEach((value, i) => {
      const at = firstIndex + i - data.first;
      sums.add(place, at, addEffects(learner.link, value, effects[at]!, learner.scales[place]!));
    });
  });
  return sums.totals();
}

/** Returns the mean absolute error of the forecasts of each total; infinite where it is unknown. */
function meanErrors(actual: Float64Array, ahead: Float64Array, count: number): Float64Array {
  const width = actual.length / count;
  return Float64Array.from({ length: count }, (_, total) => {
    const errors = Float64Array.from({ length: width }, (_, at) =>
      Math.abs(actual[total * width + at]! - ahead[total * width + at]!),
    );
    return errors.every(Number.isNaN) ? Number.POSITIVE_INFINITY : meanOf(errors);
  });
}

/** Returns the mean error of sums over series, each in mean changes of its total. */
function sumErrors(
  tests: PanelBackTests,
  totals: Totals,
  {
    values,
    changes,
    column,
    width,
    parts,
  }: {
    values: Float64Array;
    changes: Float64Array;
    column: (at: number) => number;
    width: number;
    parts: Parts;
  },
): number {
  const predictions = predictionsOf(tests, values);
  const errors = new Float64Array(totals.count * width);
  tests.places.forEach((place, at) => {
    if (!parts.isActive[place] || Number.isNaN(tests.actual[at]!)) return;
    for (let level = 0; level < totals.levels; level++)
      errors[totals.members[place * totals.levels + level]! * width + column(at)]! +=
        tests.actual[at]! - predictions[at]!;
  });
  return errors.reduce((sum, error, at) => {
    const change = changes[Math.floor(at / width)]!;
    return change > 0 ? sum + Math.abs(error) / change : sum;
  }, 0);
}

const boundedValue = (value: number, link: PanelLearner["link"]) =>
  link === "log" ? Math.max(0, value) : value;

function bounded(values: Float64Array, link: PanelLearner["link"]): Float64Array {
  return values.map((value) => boundedValue(value, link));
}

/** Returns one of `count` rows of equal length. */
function rowOf(values: Float64Array, count: number, row: number): Float64Array {
  const width = values.length / count;
  return values.subarray(row * width, (row + 1) * width);
}

/** Returns the mean of the values present; 0 without any. */
function meanOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / (known.length || 1);
}

function meanChange(values: Float64Array): number {
  return meanOf(values.slice(1).map((value, i) => Math.abs(value - values[i]!)));
}
