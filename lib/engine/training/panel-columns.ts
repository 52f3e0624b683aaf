import type { Table } from "#lib/contract/table";
import { buildFeatures } from "#lib/engine/features/build-features";
import { type FeaturePipeline, readsTime } from "#lib/engine/features/pipeline";
import { sliceRows } from "#lib/engine/table/rows";
import type { PanelData } from "./prepare-panel.ts";

/** Returns the model inputs of consecutive rows, as `buildFeatures` does. */
export type ReadColumns = (from: number, to: number) => Float32Array[];

/** Rows of series with their times; `distinct` holds at least the times of these rows. */
export type TimedRows = Pick<PanelData, "table" | "times" | "distinct" | "cells" | "first" | "end">;

/**
 * Prepares the model inputs of a panel's rows. Rows of all series have the same times, so inputs that follow from the time are
 * computed once for each time, which saves a quarter of a training.
 */
export function panelColumns(data: TimedRows, pipeline: FeaturePipeline): ReadColumns {
  const { table, times, distinct, cells, first, end } = data;
  const isOfTime = pipeline.steps.map(readsTime);
  const timed = { ...pipeline, steps: pipeline.steps.filter((_, at) => isOfTime[at]) };
  const others = { ...pipeline, steps: pipeline.steps.filter((_, at) => !isOfTime[at]) };
  const timeTable: Table = {
    rowCount: distinct.length,
    columns: [{ name: pipeline.timestamp!, type: "timestamp", values: distinct }],
  };
  const byTime = buildFeatures(timed, timeTable).columns;
  // Steps of inputs come before those of the calendar, as `panelPipeline` makes them.
  const isSorted = isOfTime.indexOf(true) === -1 || isOfTime.lastIndexOf(false) < isOfTime.indexOf(true);
  const placeOf = new Int32Array(end - first).fill(-1);
  let isUnique = isSorted;
  const cellOf = new Map<number, number>();
  for (let row = 0; row < times.length && cellOf.size < distinct.length; row++)
    cellOf.set(times[row]!, cells[row]!);
  distinct.forEach((time, place) => {
    const cell = cellOf.get(time)! - first;
    if (placeOf[cell]! >= 0) isUnique = false;
    placeOf[cell] = place;
  });
  return (from, to) => {
    const rows = sliceRows(table, from, to);
    if (!isUnique) return buildFeatures(pipeline, rows).columns;
    const own = buildFeatures(others, rows).columns;
    const places = Int32Array.from(cells.subarray(from, to), (cell) => placeOf[cell - first]!);
    return [...own, ...byTime.map((column) => gathered(column, places))];
  };
}

function gathered(column: Float32Array, places: Int32Array): Float32Array {
  const values = new Float32Array(places.length);
  for (let row = 0; row < places.length; row++) values[row] = column[places[row]!]!;
  return values;
}
