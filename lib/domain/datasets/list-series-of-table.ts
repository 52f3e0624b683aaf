import type { DatasetPart } from "#db/schema/datasets";
import { createGrid, gridOf } from "#lib/engine/features/grid";
import { distinctTimes, panelOf, timesOfSeries } from "#lib/engine/panel/panel";
import { readTable } from "./dataset-table.ts";
import { occupation } from "./dataset-warnings.ts";

type Listing = {
  parts: DatasetPart[];
  seriesColumns: string[];
  timestamp: string;
  frequency: string | null;
  timezone: string;
};

/** A series of a stored dataset. Times are epoch milliseconds. */
export type SeriesSummary = {
  /** Values of the series columns, in their order. */
  values: string[];
  rowCount: number;
  first: number;
  last: number;
  gaps: number;
};

/** Lists the series of a stored dataset, in the order of their values. */
export async function listSeriesOfTable({
  parts,
  seriesColumns,
  timestamp,
  frequency,
  timezone,
}: Listing): Promise<SeriesSummary[]> {
  const panel = panelOf(await readTable(parts), seriesColumns, timestamp);
  const indexOf =
    frequency === null
      ? null
      : createGrid(gridOf(distinctTimes(panel.times), { frequency, timezone })).indexOf;
  return timesOfSeries(panel).map((times, place) => ({
    values: panel.index.values[place]!,
    rowCount: times.length,
    first: times[0]!,
    last: times.at(-1)!,
    gaps: indexOf === null ? 0 : occupation(times, indexOf).missing,
  }));
}
