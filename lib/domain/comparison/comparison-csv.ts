import type { IntervalShape } from "#lib/contract/interval-shape";
import type { Column, Table } from "#lib/contract/table";
import { writeHeader, writeRows } from "#lib/engine/csv/write";
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
 * `isTimed`: the points are times, else rows. `isKnown`: an actual value is known at one of the points. `levels`: levels of
 * additional prediction intervals.
 */
type Axis = { isTimed: boolean; isKnown: boolean; levels?: readonly number[] | undefined };

/**
 * Writes a comparison as CSV, one line per point. The first column holds the time or the row number. Each scenario has the
 * columns "title", "title lower", "title upper", "title lower 50" and so on for each level, and "title difference". The last column is "actual" if an actual value is
 * known. Repeated titles are numbered.
 *
 * @throws the errors of `stretches`; for the first stretch before any output
 */
export async function* comparisonCsv(
  scenarios: readonly WrittenScenario[],
  baselineId: string,
  axis: Axis,
  stretches: AsyncIterable<ComparedStretch>,
): AsyncGenerator<string> {
  const titles = distinct(["actual", ...scenarios.map(({ title }) => title)]).slice(1);
  const titled = scenarios.map((scenario, index) => ({ ...scenario, title: titles[index]! }));
  const nothing = { points: none, actual: none, predicted: scenarios.map(() => nothingPredicted) };
  const { columns } = tableOf(titled, baselineId, axis, nothing);
  const header = writeHeader(columns.map(({ name }) => name));
  let hasHeader = false;
  for await (const stretch of stretches) {
    if (!hasHeader) yield header;
    hasHeader = true;
    yield* writeRows(tableOf(titled, baselineId, axis, stretch));
  }
  if (!hasHeader) yield header;
}

/** Returns bounds of a stretch without any, so that each stretch has the same columns. */
const nan = (length: number, has: boolean) => (has ? new Float64Array(length).fill(Number.NaN) : null);

const none = new Float64Array(0);
const nothingPredicted = { prediction: none, lower: null, upper: null };

function tableOf(
  scenarios: readonly WrittenScenario[],
  baselineId: string,
  { isTimed, isKnown, levels = [] }: Axis,
  { points, predicted, actual }: ComparedStretch,
): Table {
  const length = points.length;
  const number = (name: string, values: Float64Array | null): Column => ({
    ...{ name, type: "number", values: values ?? new Float64Array(length).fill(Number.NaN) },
  });
  const baseline = predicted[scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId)]!.prediction;
  const columns = scenarios.flatMap(({ scenarioId, title, has, shape }, index): Column[] => {
    const { prediction, lower, upper } = predicted[index]!;
    return [
      number(title, prediction),
      ...(has.lower ? [number(`${title} lower`, lower)] : []),
      ...(has.upper ? [number(`${title} upper`, upper)] : []),
      ...levelBounds(levels, {
        predictions: prediction,
        lower: lower ?? nan(length, has.lower),
        upper: upper ?? nan(length, has.upper),
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
    columns: [axis, ...columns, ...(isKnown ? [number("actual", actual)] : [])],
  };
}

/** Numbers repeated titles. */
export function distinct(titles: readonly string[]): string[] {
  return titles.map((title, index) => {
    const number = titles.slice(0, index).filter((other) => other === title).length + 1;
    return number === 1 ? title : `${title} (${number})`;
  });
}
