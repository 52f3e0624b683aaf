import type { Table } from "#lib/contract/table";
import { inOrder, type Origin } from "#lib/engine/csv/origin";
import { gridOf, monthDayOf } from "#lib/engine/features/grid";
import { resampleSeries } from "#lib/engine/features/resample";
import { describeSeries, largest } from "#lib/engine/panel/describe-series";
import { distinctTimes, lastTargets, type Panel, panelOf, timesOfSeries } from "#lib/engine/panel/panel";
import { findPanelFrequency } from "#lib/engine/panel/panel-frequency";
import { orderPanel } from "#lib/engine/panel/panel-order";
import { rowsOfTimes } from "#lib/engine/panel/rows-of-times";
import { indexSeries } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { allColumnWarnings } from "./all-column-warnings.ts";
import type { BuiltDataset } from "./built-dataset.ts";
import { rejectOtherFrequencies, rejectRepeatedTimes, requireSeriesLimits } from "./check-panel.ts";
import { checkTarget } from "./check-target.ts";
import { describeColumns } from "./describe-columns.ts";
import { panelWarnings } from "./panel-warnings.ts";
import { readSeriesColumns } from "./read-series-columns.ts";
import { type DatasetSettings, hoursColumn } from "./settings.ts";

/** Rows in which columns that give the target away are looked for. */
const SAMPLED_ROWS = 1_000_000;

/**
 * Makes a dataset of rows that belong to many series: as `datasetFromRows`, but series by series.
 *
 * @param origin where the rows are in the file
 * @throws {DomainError} input_invalid for the target, rows without a series, repeated times, other frequencies and limits
 */
export function panelFromRows(
  rows: Table,
  header: readonly string[],
  settings: DatasetSettings,
  origin: Origin = inOrder,
): BuiltDataset {
  const { target, timezone } = settings;
  const names = settings.seriesColumns!;
  const timestamp = settings.timestampColumns![0]!;
  checkTarget(rows, target);
  const read = readSeriesColumns(rows, names, origin);
  const series = indexSeries(read, names);
  requireSeriesLimits(read, series);
  const hours = hoursColumn(settings);
  const joined = resampleSeries(read, { timestamp, hours, target, series: series.ofRow }, timezone, settings);
  const index = joined === read ? series : indexSeries(joined, names);
  const unordered = numericValues(joined, timestamp);
  const { order, movedRows } = orderPanel(index, unordered);
  rejectRepeatedTimes(index, { times: unordered, column: timestamp, order }, origin);
  const panel = panelOf(order === null ? joined : takeRows(joined, order), names, timestamp);
  const { table, times } = panel;
  const distinct = distinctTimes(times);
  const found = findPanelFrequency(timesOfSeries(panel), distinct, timezone, settings);
  rejectOtherFrequencies(panel, timestamp, found);
  const { frequency } = found;
  const grid = frequency === null ? null : gridOf(distinct, { frequency, timezone });
  const columns = describeColumns(table, header, settings, rowsOfTimes(table, times));
  const inputs = columns.flatMap(({ name, role }) => (role === "input" ? [name] : []));
  const { description, ended, short } = describeSeries(panel, { target, grid, inputs });
  const lastKnown = largest(lastTargets(panel, target));
  const plannedRows = times.reduce((count, time) => count + (time > lastKnown ? 1 : 0), 0);
  return {
    table,
    columns,
    warnings: [
      ...panelWarnings(panel, timestamp, grid, { movedRows, ended, short }),
      ...allColumnWarnings(table, columns, settings, { plannedRows, inTime: sampleInTime(panel) }),
    ],
    frequency,
    monthDay: frequency === null ? null : monthDayOf(distinct, { frequency, timezone }),
    firstTimestamp: distinct[0] ?? null,
    lastTimestamp: distinct.at(-1) ?? null,
    lastTargetTimestamp: new Date(lastKnown).toISOString(),
    plannedRows,
    series: description,
  };
}

/** Returns the rows of evenly chosen series, in time order. */
function sampleInTime({ table, index, starts, times }: Panel): Table {
  const every = Math.ceil(table.rowCount / SAMPLED_ROWS);
  const rows = Int32Array.from(times.keys())
    .filter((row) => index.ofRow[row]! % every === 0)
    .sort((a, b) => times[a]! - times[b]! || a - b);
  return starts.length === 2 ? table : takeRows(table, rows);
}
