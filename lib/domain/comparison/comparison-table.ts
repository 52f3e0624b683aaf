import type { IntervalShape } from "#lib/contract/interval-shape";
import type { Column, Table } from "#lib/contract/table";
import { levelBounds } from "#lib/engine/intervals/levels";
import type { ComparedStretch } from "./compared-stretches.ts";

export type WrittenScenario = {
  scenarioId: string;
  title: string;
  /** The bounds that the scenario's model provides. */
  has: { lower: boolean; upper: boolean };
  shape: IntervalShape | null;
};

/**
 * `isTimed`: the points are times, else rows. `hasActuals`: an actual value is known at one of the points. `levels`: levels
 * of additional prediction intervals.
 */
type Axis = { isTimed: boolean; hasActuals: boolean; levels?: readonly number[] | undefined };

/**
 * Returns a comparison as a table in parts, one row per point. The first column holds the time or the row number. The columns of a
 * scenario begin with its title: `Base` for the prediction, `Base lower` and `Base upper`, for each further level
 * `Base lower 50` and `Base upper 50`, and `Base difference`, except for the baseline. Models without intervals have no
 * bounds. The last column is `actual` if an actual value is known. Repeated titles are numbered.
 *
 * @throws the errors of `stretches`; for the first stretch before any part
 */
export async function* comparisonTable(
  scenarios: readonly WrittenScenario[],
  baselineId: string,
  axis: Axis,
  stretches: AsyncIterable<ComparedStretch>,
): AsyncGenerator<Table> {
  const titles = distinct(["actual", ...scenarios.map(({ title }) => title)]).slice(1);
  const titled = scenarios.map((scenario, index) => ({ ...scenario, title: titles[index]! }));
  const nothing = { points: none, actual: none, predicted: scenarios.map(() => nothingPredicted) };
  let isEmpty = true;
  for await (const stretch of stretches) {
    isEmpty = false;
    yield withDistinctNames(tableOf(titled, baselineId, axis, stretch));
  }
  if (isEmpty) yield withDistinctNames(tableOf(titled, baselineId, axis, nothing));
}

/** Numbers repeated names: a title may equal the axis, or the bounds or the difference of another scenario. */
export function withDistinctNames({ rowCount, columns }: Table): Table {
  const names = distinct(columns.map(({ name }) => name));
  return { rowCount, columns: columns.map((column, index) => ({ ...column, name: names[index]! })) };
}

/** Returns bounds of NaN for a stretch without bounds, so that each stretch has the same columns. */
const missingBounds = (length: number, has: boolean) =>
  has ? new Float64Array(length).fill(Number.NaN) : null;

const none = new Float64Array(0);
const nothingPredicted = { prediction: none, lower: null, upper: null };

function tableOf(
  scenarios: readonly WrittenScenario[],
  baselineId: string,
  { isTimed, hasActuals, levels = [] }: Axis,
  { points, predicted, actual }: ComparedStretch,
): Table {
  const length = points.length;
  const number = (name: string, values: Float64Array | null): Column => ({
    name,
    type: "number",
    values: values ?? new Float64Array(length).fill(Number.NaN),
  });
  const baseline = predicted[scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId)]!.prediction;
  const columns = scenarios.flatMap(({ scenarioId, title, has, shape }, index): Column[] => {
    const { prediction, lower, upper, floors } = predicted[index]!;
    return [
      number(title, prediction),
      ...(has.lower ? [number(`${title} lower`, lower)] : []),
      ...(has.upper ? [number(`${title} upper`, upper)] : []),
      ...levelBounds(levels, {
        predictions: prediction,
        lower: lower ?? missingBounds(length, has.lower),
        upper: upper ?? missingBounds(length, has.upper),
        floors,
        shape,
      }).flatMap(({ level, ...bounds }) => [
        number(`${title} lower ${Math.round(100 * level)}`, bounds.lower),
        number(`${title} upper ${Math.round(100 * level)}`, bounds.upper),
      ]),
      ...(scenarioId === baselineId
        ? []
        : [
            number(
              `${title} difference`,
              prediction.map((value, point) => value - baseline[point]!),
            ),
          ]),
    ];
  });
  const axis: Column = isTimed
    ? { name: "timestamp", type: "timestamp", values: points }
    : { name: "row", type: "number", values: points };
  return {
    rowCount: length,
    columns: [axis, ...columns, ...(hasActuals ? [number("actual", actual)] : [])],
  };
}

/** Numbers repeated titles, with numbers that give no other title: a, a, a (2) become a, a (3), a (2). */
export function distinct(titles: readonly string[]): string[] {
  const taken = new Set(titles);
  return titles.map((title, index) => {
    if (titles.indexOf(title) === index) return title;
    let number = 2;
    while (taken.has(`${title} (${number})`)) number++;
    taken.add(`${title} (${number})`);
    return `${title} (${number})`;
  });
}
