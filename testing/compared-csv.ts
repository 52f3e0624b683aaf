import type { Column } from "#lib/contract/table";
import { actualsAmong, type KnownTarget } from "#lib/domain/actuals/actuals-of";
import type { StoredSeries } from "#lib/domain/scenarios/chunks/read-predictions";
import { align, gather } from "#lib/engine/series/align";
import { rowsBetween } from "#lib/engine/series/window";
import { csvOfTable } from "./csv-of-table.ts";

export type TitledSeries = StoredSeries & { title: string };

/**
 * Returns the expected CSV download of a comparison, computed from whole series in memory. Titles are unique. The first
 * series belongs to the baseline scenario.
 */
export function csvOfWholeSeries(
  all: readonly TitledSeries[],
  { from, to }: { from?: number; to?: number } = {},
  known: KnownTarget | null = null,
): string {
  const { timestamps, length, rowOf } = align(
    all.map(({ prediction, timestamps }) => ({ rowCount: prediction.length, timestamps })),
  );
  const { start, end } = rowsBetween(timestamps, length, from, to);
  const times = timestamps?.slice(start, end);
  const at = (values: Float64Array, index: number) => gather(values, rowOf[index]!.subarray(start, end));
  const number = (name: string, values: Float64Array): Column => ({ name, type: "number", values });
  const baseline = at(all[0]!.prediction, 0);
  const columns = all.flatMap(({ title, prediction, lower, upper }, index) => {
    const values = at(prediction, index);
    const difference = values.map((value, point) => value - baseline[point]!);
    return [
      number(title, values),
      ...(lower ? [number(`${title} lower`, at(lower, index))] : []),
      ...(upper ? [number(`${title} upper`, at(upper, index))] : []),
      ...(index === 0 ? [] : [number(`${title} difference`, difference)]),
    ];
  });
  const rows = Float64Array.from({ length: end - start }, (_, index) => start + index + 1);
  const axis: Column = times ? { name: "timestamp", type: "timestamp", values: times } : number("row", rows);
  const actual = known && times && actualsAmong(known, times);
  const table = [axis, ...columns, ...(actual ? [number("actual", actual)] : [])];
  return csvOfTable({ rowCount: end - start, columns: table });
}
