// The fits of single series take most of the time of a training, and need no other series except through the pool of
// effects. So they are divided into parts of consecutive series, which any process may fit. All else stays in one process.
//
// Example: 600 series are three parts, of 250, 250 and 100 series. Each part is fitted twice: to the rows before the first origin
// of the back-tests, and to all rows. Each of the six fits is a file. Borders depend on the data alone, and a fit is the
// same wherever it is made, so the model has the same bits with any number of processes, and after any of them has ended.

import { deserialize, serialize } from "node:v8";
import { requiredColumns } from "#lib/engine/features/build-features";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import type { EffectPool } from "#lib/engine/panel-model/pool-effects";
import { selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import type { PanelSettings } from "./fit-panel-learner.ts";
import { fitSeries, type SeriesFit, type SeriesRows, type SeriesSettings } from "./fit-panel-series.ts";
import { panelColumns, type TimedRows } from "./panel-columns.ts";
import { distinctTimes, type PanelData } from "./prepare-panel.ts";

/** Version of the fits and of their files. Change it with either: then no process reads the files of another version. */
export const PARTS_VERSION = 1;
/** Series of a part. */
const PART_SERIES = 250;
/** Minimum number of series that are divided. */
const DIVIDED_SERIES_MIN = 500;

/**
 * A request of a training: adds the input of the next part, begins the fits of all parts, or takes a fit of a part. Only `take`
 * returns a fit, or null for a part that the training must fit itself.
 */
export type PartRequest =
  | { kind: "add"; input: Uint8Array }
  | { kind: "begin" }
  | { kind: "take"; part: number; fit: number };

/** Has parts fitted by other threads or processes. */
export type FitOfParts = (request: PartRequest) => Promise<Uint8Array | null>;

type PartInput = {
  rows: Omit<TimedRows, "distinct"> & SeriesRows;
  settings: Omit<SeriesSettings, "columns">;
  pipeline: FeaturePipeline;
  fits: { until: number; pool: EffectPool }[];
};

/**
 * Returns a function that makes one of the fits of all series, in their order.
 *
 * @param untils grid indexes before which the rows of each fit lie
 * @param fitParts undefined: all series are fitted here, as few series always are
 * @throws TrainingCancelled, also from the function
 */
export async function fitsOfPanel(
  data: PanelData,
  settings: PanelSettings,
  {
    untils,
    pools,
    fitParts,
  }: { untils: readonly number[]; pools: readonly EffectPool[]; fitParts?: FitOfParts | undefined },
): Promise<(fit: number) => AsyncGenerator<SeriesFit>> {
  const count = data.index.values.length;
  const fits = untils.map((until, at) => ({ until, pool: pools[at]! }));
  async function* here(fit: number, from: number, to: number): AsyncGenerator<SeriesFit> {
    for (let place = from; place < to; place++) {
      if (settings.shouldStop()) throw new TrainingCancelled();
      yield fitSeries(data, place, { ...fits[fit]!, settings });
    }
  }
  if (!fitParts || count < DIVIDED_SERIES_MIN) return (fit) => here(fit, 0, count);
  const starts = Array.from({ length: Math.ceil(count / PART_SERIES) }, (_, part) => part * PART_SERIES);
  const endOf = (part: number) => Math.min(count, starts[part]! + PART_SERIES);
  for (const [part, from] of starts.entries()) {
    if (settings.shouldStop()) throw new TrainingCancelled();
    const { link, season, cycle, ignoresOutliers, pipeline } = settings;
    const input: PartInput = {
      rows: rowsOfSeries(data, from, endOf(part), pipeline),
      settings: { link, season, cycle, ignoresOutliers },
      pipeline,
      fits,
    };
    await fitParts({ kind: "add", input: serialize(input) });
  }
  await fitParts({ kind: "begin" });
  return async function* (fit) {
    for (const [part, from] of starts.entries()) {
      const found = await fitParts({ kind: "take", part, fit });
      if (found) yield* deserialize(found) as SeriesFit[];
      else yield* here(fit, from, endOf(part));
    }
  };
}

/** Fits the series of a part. Returns the file of the fit. */
export function fitPart(input: Uint8Array, fit: number): Uint8Array {
  const { rows, pipeline, fits, settings } = deserialize(input) as PartInput;
  const columns = panelColumns({ ...rows, distinct: distinctTimes(rows.times) }, pipeline);
  const made = Array.from({ length: rows.starts.length - 1 }, (_, place) =>
    fitSeries(rows, place, { ...fits[fit]!, settings: { ...settings, columns } }),
  );
  return serialize(made);
}

/** Returns the rows of consecutive series, with the columns that a fit reads. */
function rowsOfSeries(
  { table, starts, targets, times, cells, first, end }: PanelData,
  from: number,
  to: number,
  pipeline: FeaturePipeline,
): PartInput["rows"] {
  const [start, stop] = [starts[from]!, starts[to]!];
  return {
    table: sliceRows(selectColumns(table, requiredColumns(pipeline)), start, stop),
    starts: starts.slice(from, to + 1).map((row) => row - start),
    targets: targets.slice(start, stop),
    times: times.slice(start, stop),
    cells: cells.slice(start, stop),
    first,
    end,
  };
}
