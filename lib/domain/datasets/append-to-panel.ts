import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { type Issue, IssueList, shorten } from "#lib/engine/csv/issues";
import { type DatasetEnd, tooFar } from "#lib/engine/csv/time-order";
import { createGrid, gridOf } from "#lib/engine/features/grid";
import { datasetEnd } from "#lib/engine/features/resample";
import { largest } from "#lib/engine/panel/describe-series";
import { distinctTimes, lastTargets, type Panel, panelOf, timesOfSeries } from "#lib/engine/panel/panel";
import { findPanelFrequency } from "#lib/engine/panel/panel-frequency";
import { findRepeatedTimes, orderPanel } from "#lib/engine/panel/panel-order";
import { indexSeries, type SeriesIndex, seriesKey, seriesText } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { someSeries } from "./panel-warnings.ts";
import type { DatasetSettings } from "./settings.ts";

/** A stored panel that rows are appended to. */
export type PanelEnd = {
  panel: Panel;
  timestamp: string;
  /** Time of the last target of each series, epoch milliseconds; NaN without one. */
  lasts: Float64Array;
  /** Place of each series by its key. */
  places: ReadonlyMap<string, number>;
  /** Returns the step that holds an instant. */
  stepOf: (time: number) => number;
  /** Returns the end after which rows of a series are accepted, by the time of its last target. */
  endAfter: (last: number) => DatasetEnd;
};

/** @param stored rows of the current dataset */
export function openPanelEnd(stored: Table, settings: DatasetSettings): PanelEnd {
  const { seriesColumns, timestampColumns, target, timezone } = settings;
  const timestamp = timestampColumns![0]!;
  const panel = panelOf(stored, seriesColumns!, timestamp);
  const distinct = distinctTimes(panel.times);
  const { frequency } = findPanelFrequency(timesOfSeries(panel), distinct, timezone, settings);
  const first = distinct[0]!;
  return {
    panel,
    timestamp,
    lasts: lastTargets(panel, target),
    places: new Map(panel.index.values.map((values, place) => [seriesKey(values), place])),
    stepOf:
      frequency === null ? (time) => time : createGrid(gridOf(distinct, { frequency, timezone })).indexOf,
    endAfter: (last) => datasetEnd({ first, last, frequency }, timezone, settings),
  };
}

/**
 * Finds times of added rows that are not after the last target of their series, that are too far after it, or that a series
 * has twice. Rows to resample may share a time.
 */
export function checkAddedToPanel(
  added: Table,
  { timestamp: column, places, lasts, endAfter }: PanelEnd,
  { seriesColumns, resample }: DatasetSettings,
): IssueList {
  const index = indexSeries(added, seriesColumns!);
  const times = numericValues(added, column);
  const issues = new IssueList();
  const newest = largest(lasts);
  const ends = index.values.map((values) => {
    const last = lasts[places.get(seriesKey(values)) ?? -1] ?? Number.NaN;
    return endAfter(last);
  });
  for (const [row, place] of index.ofRow.entries()) {
    const [end, time] = [ends[place]!, times[row]!];
    if (time >= end.limit)
      issues.addLazily(row + 1, column, () => tooFar(row + 1, column, time, { ...end, last: newest }));
    // A series without a target has no end: its last time is NaN.
    else if (end.next === null ? time <= end.last : time < end.next)
      issues.addLazily(row + 1, column, () => notAfter(index, { row, column, time, last: end.last }));
  }
  if (resample === null)
    findRepeatedTimes(index, { times, column, order: orderPanel(index, times).order }, issues);
  return issues;
}

function notAfter(
  { columns, values, ofRow }: SeriesIndex,
  { row, column, time, last }: { row: number; column: string; time: number; last: number },
): Issue {
  const value = new Date(time).toISOString();
  const end = new Date(last).toISOString();
  const series = seriesText(columns, values[ofRow[row]!]!.map(shorten));
  const message = `Row ${row + 1}, column "${shorten(column)}": the time ${value} is not after ${end}, the last time of the series ${series} with a target.`;
  return {
    row: row + 1,
    column,
    value,
    code: "timestamps_unsorted",
    message,
    expected: `a time after ${end}`,
  };
}

/** Returns the stored rows without the planned ones in steps of added rows of the same series. */
export function withoutReplacedOfPanel(
  added: Table,
  { panel, timestamp, lasts, places, stepOf }: PanelEnd,
  { seriesColumns }: DatasetSettings,
): Table {
  const index = indexSeries(added, seriesColumns!);
  const times = numericValues(added, timestamp);
  const replaced = index.values.map(() => new Set<number>());
  for (const [row, place] of index.ofRow.entries()) replaced[place]!.add(stepOf(times[row]!));
  const stepsOf = new Map(
    index.values.flatMap((values, place) => {
      const stored = places.get(seriesKey(values));
      return stored === undefined ? [] : [[stored, replaced[place]!] as const];
    }),
  );
  const kept = Int32Array.from(panel.times.keys()).filter((row) => {
    const [place, time] = [panel.index.ofRow[row]!, panel.times[row]!];
    return time <= lasts[place]! || stepsOf.get(place)?.has(stepOf(time)) !== true;
  });
  return kept.length === panel.table.rowCount ? panel.table : takeRows(panel.table, kept);
}

/** Returns a warning of the series that the dataset does not have yet. */
export function newSeriesWarnings(
  added: Table,
  { places }: PanelEnd,
  { seriesColumns }: DatasetSettings,
): Warning[] {
  const index = indexSeries(added, seriesColumns!);
  const found = index.values.flatMap((values, place) => (places.has(seriesKey(values)) ? [] : [place]));
  if (found.length === 0) return [];
  const isNew = new Set(found);
  const rows = index.ofRow.reduce((count, place) => count + (isNew.has(place) ? 1 : 0), 0);
  const series = someSeries(index, found, "is new", "are new");
  return [{ code: "new_series", column: null, message: `${series}: the dataset had no rows of them.`, rows }];
}
