import type { Column } from "#lib/contract/table";
import { writeCsv } from "#lib/csv/write";
import type { Bounds } from "#lib/predictions/read-predictions";
import { align, alignedValues } from "#lib/series/align";
import { actualsBetween, type ScenarioSeries } from "#lib/series/compare-scenarios";
import { rowsBetween } from "#lib/series/window";

/**
 * Scenarios side by side, a line for each point between `from` and `to` (both included; epoch milliseconds, or row
 * numbers from 1): the time or the row, and of each scenario the columns "title", "title lower", "title upper" and
 * "title difference"; last, where something of it is known (`actualAt`), what was: "actual". Titles that come twice are
 * numbered.
 */
export function comparisonCsv(
  scenarios: readonly (ScenarioSeries & Bounds & { title: string })[],
  baselineId: string,
  { from, to }: { from?: number; to?: number },
  actualAt: ((time: number) => number) | null = null,
): Generator<string> {
  const alignment = align(
    scenarios.map(({ prediction, timestamps }) => ({ rowCount: prediction.length, timestamps })),
  );
  const { timestamps, length } = alignment;
  const { start, end } = rowsBetween(timestamps, length, from, to);
  const between = (index: number, values: Float64Array) =>
    alignedValues(alignment, index, values, { start, end });
  const aligned = scenarios.map(({ prediction }, index) => between(index, prediction));
  const baseline = aligned[scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId)]!;
  const axis: Column =
    timestamps === null
      ? { name: "row", type: "number", values: Float64Array.from(baseline, (_, index) => start + index + 1) }
      : { name: "timestamp", type: "timestamp", values: timestamps.subarray(start, end) };
  const titles = distinct(["actual", ...scenarios.map(({ title }) => title)]).slice(1);
  const actual = actualsBetween(timestamps?.subarray(start, end), actualAt);
  const columns = scenarios.flatMap(({ scenarioId, lower, upper }, index): Column[] => {
    const title = titles[index]!;
    const number = (name: string, values: Float64Array): Column => ({ name, type: "number", values });
    return [
      number(title, aligned[index]!),
      ...(lower === null ? [] : [number(`${title} lower`, between(index, lower))]),
      ...(upper === null ? [] : [number(`${title} upper`, between(index, upper))]),
      ...(scenarioId === baselineId
        ? []
        : [
            number(
              `${title} difference`,
              aligned[index]!.map((value, point) => value - baseline[point]!),
            ),
          ]),
    ];
  });
  if (actual) columns.push({ name: "actual", type: "number", values: actual });
  return writeCsv({ rowCount: end - start, columns: [axis, ...columns] });
}

function distinct(titles: readonly string[]): string[] {
  return titles.map((title, index) => {
    const number = titles.slice(0, index).filter((other) => other === title).length + 1;
    return number === 1 ? title : `${title} (${number})`;
  });
}
