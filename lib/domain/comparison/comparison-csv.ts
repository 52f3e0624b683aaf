import type { Column, Table } from "#lib/contract/table";
import { writeHeader, writeRows } from "#lib/engine/csv/write";
import type { ComparedStretch } from "./compared-stretches.ts";

export type WrittenScenario = {
  scenarioId: string;
  title: string;
  /** Which bounds its model gives. */
  has: { lower: boolean; upper: boolean };
};

/** `isTimed`: its points are times, else rows; `isKnown`: something of what was is known at them. */
type Axis = { isTimed: boolean; isKnown: boolean };

/**
 * Scenarios side by side, a line for each point: the time or the row, and of each scenario the columns "title", "title lower",
 * "title upper" and "title difference"; last, where something of it is known, what was: "actual". Titles that come twice are
 * numbered.
 *
 * @throws what `stretches` throws, for the first one before any piece
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
  let isBegun = false;
  for await (const stretch of stretches) {
    if (!isBegun) yield header;
    isBegun = true;
    yield* writeRows(tableOf(titled, baselineId, axis, stretch));
  }
  if (!isBegun) yield header;
}

const none = new Float64Array(0);
const nothingPredicted = { prediction: none, lower: null, upper: null };

function tableOf(
  scenarios: readonly WrittenScenario[],
  baselineId: string,
  { isTimed, isKnown }: Axis,
  { points, predicted, actual }: ComparedStretch,
): Table {
  const length = points.length;
  const number = (name: string, values: Float64Array | null): Column => ({
    ...{ name, type: "number", values: values ?? new Float64Array(length).fill(Number.NaN) },
  });
  const baseline = predicted[scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId)]!.prediction;
  const columns = scenarios.flatMap(({ scenarioId, title, has }, index): Column[] => {
    const { prediction, lower, upper } = predicted[index]!;
    return [
      number(title, prediction),
      ...(has.lower ? [number(`${title} lower`, lower)] : []),
      ...(has.upper ? [number(`${title} upper`, upper)] : []),
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

function distinct(titles: readonly string[]): string[] {
  return titles.map((title, index) => {
    const number = titles.slice(0, index).filter((other) => other === title).length + 1;
    return number === 1 ? title : `${title} (${number})`;
  });
}
