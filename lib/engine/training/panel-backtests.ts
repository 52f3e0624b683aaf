import { seasonalNaive } from "#lib/engine/learners/seasonal-naive";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import { effectsAt } from "#lib/engine/panel-model/panel-learner";
import { addEffects, effectSums, removeEffects } from "#lib/engine/panel-model/remainder";
import { fitGlobal, planGlobal } from "./fit-global.ts";
import type { FittedPanel, PanelSettings } from "./fit-panel-learner.ts";
import { rowsBefore } from "./fit-panel-series.ts";
import type { PanelData } from "./prepare-panel.ts";
import { remaindersAhead } from "./remainders-ahead.ts";

/** Maximum number of forecast origins, one horizon apart. */
const ORIGINS_MAX = 3;
/** Part of the time before the first origin. */
const LEARNED_PART = 0.4;

/**
 * Forecasts of known rows from common origins, by a learner that was fitted before the first one. One entry for each row and
 * origin, by series, then origin, then time.
 */
export type PanelBackTests = {
  fitted: FittedPanel;
  origins: number[];
  /** Place of each entry's series, its origin, and its row in the prepared data. */
  places: Int32Array;
  ofOrigin: Int32Array;
  rows: Int32Array;
  steps: Int32Array;
  actual: Float64Array;
  /** Naive forecast: the last season, or the last value. */
  naive: Float64Array;
  /** Remainder as it was, and as the local methods forecast it. */
  remainders: Float64Array;
  local: Float64Array;
  /** Remainder as the trees forecast it; as the local methods without trees. */
  global: Float64Array;
  /** Sum of the effects of the row's inputs. */
  sums: Float64Array;
};

/** Returns the common origins, ascending: at most three, one horizon apart, counted back from the end. */
export function originsOf({ first, end, horizon }: PanelData): number[] {
  const span = end - first;
  const count = Math.max(1, Math.min(ORIGINS_MAX, Math.floor(((1 - LEARNED_PART) * span) / horizon)));
  return Array.from({ length: count }, (_, i) => end - (count - i) * horizon);
}

/**
 * @param fitted to the rows before the first origin
 * @throws TrainingCancelled
 */
export function backTestPanel(data: PanelData, fitted: FittedPanel, settings: PanelSettings): PanelBackTests {
  const origins = originsOf(data);
  const { learner, remainders } = fitted;
  const { link } = learner;
  const entries = entriesOf(data, origins);
  const count = entries.rows.length;
  const tests: PanelBackTests = {
    fitted,
    origins,
    ...entries,
    actual: Float64Array.from(entries.rows, (row) => data.targets[row]!),
    naive: new Float64Array(count).fill(Number.NaN),
    remainders: new Float64Array(count).fill(Number.NaN),
    local: new Float64Array(count).fill(Number.NaN),
    global: new Float64Array(count).fill(Number.NaN),
    sums: new Float64Array(count),
  };
  const plan = planGlobal(data, fitted, settings);
  const trees = fitGlobal(data, fitted, plan, settings);
  const ahead = remaindersAhead(data, learner, trees, { plan, pipeline: settings.pipeline });
  let next = 0;
  for (let place = 0; place < data.index.values.length; place++) {
    if (place % 16 === 0) {
      if (settings.shouldStop()) throw new TrainingCancelled();
      settings.report(place / data.index.values.length);
    }
    const from = next;
    while (next < count && tests.places[next] === place) next++;
    if (next === from) continue;
    const effects = effectsAt(learner, place);
    const [start, stop] = [data.starts[place]!, data.starts[place + 1]!];
    const learned = rowsBefore(data, place, origins[0]!);
    const sums = effectSums(effects, settings.columns(start, stop), stop - start);
    const { firstIndex } = remainders[place]!;
    const base = learned.to > learned.from ? firstIndex : data.cells[start]!;
    const cells = new Float64Array(data.cells[stop - 1]! - base + 1).fill(Number.NaN);
    const targets = cells.slice();
    for (let row = start; row < stop; row++) {
      const at = data.cells[row]! - base;
      targets[at] = data.targets[row]!;
      cells[at] = removeEffects(link, data.targets[row]!, sums[row - start]!, effects.scale);
    }
    const observed = { values: cells.slice(), firstIndex: base };
    for (const index of learner.local[place]!.ignored ?? []) observed.values[index - base] = Number.NaN;
    const indexes = Float64Array.from({ length: next - from }, (_, i) => data.cells[tests.rows[from + i]!]!);
    const { local, global } = ahead(place, observed, {
      indexes,
      origins: Float64Array.from({ length: next - from }, (_, i) => tests.ofOrigin[from + i]!),
    });
    for (let at = from; at < next; at++) {
      const origin = tests.ofOrigin[at]!;
      const step = tests.steps[at]!;
      tests.remainders[at] = cells[indexes[at - from]! - base]!;
      tests.local[at] = local[at - from]!;
      tests.global[at] = global[at - from]!;
      tests.sums[at] = sums[tests.rows[at]! - start]!;
      const before = targets.subarray(
        Math.max(0, origin - base - 4 * settings.season),
        Math.max(0, origin - base),
      );
      tests.naive[at] = seasonalNaive(before, settings.season, step)[step - 1]!;
    }
  }
  return tests;
}

/** Returns the rows within a horizon of each origin. A series that begins after an origin has none there. */
function entriesOf(data: PanelData, origins: readonly number[]) {
  const places: number[] = [];
  const ofOrigin: number[] = [];
  const rows: number[] = [];
  const steps: number[] = [];
  for (let place = 0; place < data.index.values.length; place++)
    for (const origin of origins) {
      const { to } = rowsBefore(data, place, origin);
      if (to === data.starts[place]) continue;
      for (let row = to; row < data.starts[place + 1]!; row++) {
        const step = data.cells[row]! - origin + 1;
        if (step > data.horizon) break;
        places.push(place);
        ofOrigin.push(origin);
        rows.push(row);
        steps.push(step);
      }
    }
  return {
    places: Int32Array.from(places),
    ofOrigin: Int32Array.from(ofOrigin),
    rows: Int32Array.from(rows),
    steps: Int32Array.from(steps),
  };
}

/** Returns the predictions of all entries, given the predicted remainders. */
export function predictionsOf(
  { fitted, places, sums }: PanelBackTests,
  remainders: Float64Array,
): Float64Array {
  const { link, scales } = fitted.learner;
  return remainders.map((value, at) => addEffects(link, value, sums[at]!, scales[places[at]!]!));
}
