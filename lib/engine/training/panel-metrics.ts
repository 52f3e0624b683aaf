import type { PanelMetrics } from "#lib/contract/panel-metrics";
import { MEASURES, type SeriesMetricsFile } from "#lib/engine/inference/series-metrics-file";
import { findColumn } from "#lib/engine/table/columns";
import type { PanelBackTests } from "./panel-backtests.ts";
import type { PanelData } from "./prepare-panel.ts";

const LISTED_MAX = 10;
const QUANTILES = 11;

type Sums = {
  errors: number;
  absolute: number;
  size: number;
  actual: number;
  predicted: number;
  rows: number;
};

/** Significant digits of the errors of single series. */
const DIGITS = 6;

/**
 * Measures predictions of the back-tests by series and by the sums of each level.
 *
 * @param coverage share of the actual values within the intervals, by level as in `levelsOf`, then of single series
 */
export function panelMetrics(
  data: PanelData,
  tests: PanelBackTests,
  predicted: Float64Array,
  { season, coverage }: { season: number; coverage: readonly number[] | null },
): { panel: PanelMetrics; ofSeries: SeriesMetricsFile } {
  const { columns, values } = data.index;
  const leaves = measureLevel(data, tests, predicted, { season, groupOf: (place) => place });
  const named = leaves.groups.flatMap(({ place, ...measured }) =>
    measured.rows > 0 ? [{ values: namedValues(columns, values[place]!), ...measured }] : [],
  );
  const known = named.filter(({ mase }) => mase !== null);
  const mases = known.map(({ mase }) => mase!);
  const levels = [
    ...levelsOf(data).map((by) => ({
      by,
      ...measureLevel(data, tests, predicted, { season, groupOf: groupsBy(data, by) }).level,
    })),
    { by: [...columns], ...leaves.level },
  ];
  const ofSeries = (name: (typeof MEASURES)[number]) =>
    named.map((one) => (one[name] === null ? null : Number(one[name].toPrecision(DIGITS))));
  const panel = {
    columns: [...columns],
    series: values.length,
    levels: levels.map((level, at) => ({ ...level, coverage: coverage?.[at] ?? null })),
    worst: known
      .toSorted((a, b) => b.mase! - a.mase!)
      .slice(0, LISTED_MAX)
      .map(listed),
    largest: named
      .toSorted((a, b) => b.size - a.size)
      .slice(0, LISTED_MAX)
      .map(listed),
    mase: quantilesOf(mases),
  };
  return {
    panel,
    ofSeries: {
      version: 1,
      columns: [...columns],
      values: named.map((one) => Object.values(one.values)),
      ...(Object.fromEntries(MEASURES.map((name) => [name, ofSeries(name)])) as Pick<
        SeriesMetricsFile,
        (typeof MEASURES)[number]
      >),
    },
  };
}

/** Returns the quantiles of values from the minimum to the maximum, in steps of 10%; none without values. */
export function quantilesOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return [];
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))]!;
  return Array.from({ length: QUANTILES }, (_, i) => at(i / (QUANTILES - 1)));
}

function listed<
  T extends Sums & {
    values: Record<string, string>;
    mase: number | null;
    wape: number | null;
    bias: number | null;
  },
>({ values, actual, predicted, mase, wape, bias }: T) {
  return { values, actual, predicted, mase, wape, bias };
}

function namedValues(columns: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((name, at) => [name, values[at]!]));
}

/** Returns the groups of columns that series are summed by: all series, and each column alone. */
export function levelsOf(data: PanelData): string[][] {
  const { columns } = data.index;
  return [
    [],
    ...data.levels.map((name) => [name]),
    ...(columns.length > 1 ? columns.map((name) => [name]) : []),
  ];
}

/** Returns the group of each series by the value of columns. */
export function groupsBy(data: PanelData, by: readonly string[]): (place: number) => number {
  const places = new Map<string, number>();
  const groups = data.index.values.map((_, place) => {
    const key = by.map((name) => {
      const column = findColumn(data.table, name);
      return column?.type === "category" ? column.codes[data.starts[place]!]! : -1;
    });
    const text = key.join();
    const group = places.get(text) ?? places.size;
    places.set(text, group);
    return group;
  });
  return (place) => groups[place]!;
}

/** Sums actual values and predictions of each group, origin and step, and measures the errors of these sums. */
function measureLevel(
  data: PanelData,
  tests: PanelBackTests,
  predicted: Float64Array,
  { season, groupOf }: { season: number; groupOf: (place: number) => number },
) {
  const count = data.index.values.reduce((most, _, place) => Math.max(most, groupOf(place) + 1), 0);
  const width = tests.origins.length * data.horizon;
  const actual = new Float64Array(count * width).fill(Number.NaN);
  const sums = new Float64Array(count * width);
  for (let at = 0; at < predicted.length; at++) {
    const origin = tests.origins.indexOf(tests.ofOrigin[at]!);
    const cell = groupOf(tests.places[at]!) * width + origin * data.horizon + tests.steps[at]! - 1;
    actual[cell] = (Number.isNaN(actual[cell]!) ? 0 : actual[cell]!) + tests.actual[at]!;
    sums[cell]! += predicted[at]!;
  }
  const naive = naiveErrors(data, tests.origins[0]!, { season, groupOf, count });
  const groups = Array.from({ length: count }, (_, place) => {
    const found: Sums = { errors: 0, absolute: 0, size: 0, actual: 0, predicted: 0, rows: 0 };
    for (let cell = place * width; cell < (place + 1) * width; cell++) {
      if (Number.isNaN(actual[cell]!)) continue;
      const error = sums[cell]! - actual[cell]!;
      found.errors += error;
      found.absolute += Math.abs(error);
      found.size += Math.abs(actual[cell]!);
      found.actual += actual[cell]!;
      found.predicted += sums[cell]!;
      found.rows++;
    }
    const scale = naive[place]!;
    return {
      place,
      ...found,
      mase: scale > 0 && found.rows > 0 ? found.absolute / found.rows / scale : null,
      wape: found.size > 0 ? found.absolute / found.size : null,
      bias: found.size > 0 ? found.errors / found.size : null,
    };
  });
  const known = groups.filter(({ mase }) => mase !== null);
  const total = (of: (one: (typeof groups)[number]) => number, some = groups) =>
    some.reduce((sum, one) => sum + of(one), 0);
  const size = total((one) => one.size);
  const scaled = total((one) => one.rows * naive[one.place]!, known);
  return {
    groups,
    level: {
      groups: count,
      mase: scaled > 0 ? total((one) => one.absolute, known) / scaled : null,
      meanMase: known.length > 0 ? total((one) => one.mase!, known) / known.length : null,
      wape: size > 0 ? total((one) => one.absolute) / size : null,
      bias: size > 0 ? total((one) => one.errors) / size : null,
    },
  };
}

/** Returns the mean absolute change of each group from one season to the next, before the first origin; 0 if unknown. */
function naiveErrors(
  data: PanelData,
  until: number,
  { season, groupOf, count }: { season: number; groupOf: (place: number) => number; count: number },
): Float64Array {
  const length = Math.max(0, until - data.first);
  const members: number[][] = Array.from({ length: count }, () => []);
  data.index.values.forEach((_, place) => {
    members[groupOf(place)]!.push(place);
  });
  const totals = new Float64Array(length);
  return Float64Array.from(members, (places) => {
    totals.fill(Number.NaN);
    for (const place of places)
      for (let row = data.starts[place]!; row < data.starts[place + 1]!; row++) {
        const cell = data.cells[row]! - data.first;
        if (cell >= length) break;
        totals[cell] = (Number.isNaN(totals[cell]!) ? 0 : totals[cell]!) + data.targets[row]!;
      }
    let [sum, known] = [0, 0];
    for (let cell = season; cell < length; cell++) {
      const change = Math.abs(totals[cell]! - totals[cell - season]!);
      if (Number.isNaN(change)) continue;
      sum += change;
      known++;
    }
    return known > 0 ? sum / known : 0;
  });
}
