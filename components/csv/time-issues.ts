import { counted } from "#lib/contract/counted";
import type { Choice } from "#lib/contract/reading";
import type { Table } from "#lib/contract/table";
import { zoneChoices, zonesOfRepeats } from "#lib/engine/csv/clock-change";
import { type CsvWarning, type Issue, IssueList } from "#lib/engine/csv/issues";
import type { CsvResult } from "#lib/engine/csv/options";
import { proposeParts } from "#lib/engine/csv/propose-parts";
import { checkAddedTimes, checkTimes } from "#lib/engine/csv/time-order";
import { findRepeatedTimes, orderPanel } from "#lib/engine/panel/panel-order";
import { proposeSeriesChoice } from "#lib/engine/panel/propose-series";
import { indexSeries, type SeriesIndex } from "#lib/engine/panel/series-index";
import type { Reading } from "./reading.ts";

/** Returns the series of the rows that the chosen columns name; null for one series. */
export function chosenSeries(table: Table, reading: Reading): SeriesIndex | null {
  const { seriesColumns = [] } = reading.series ?? {};
  const present = seriesColumns.filter((name) =>
    table.columns.some((column) => column.name === name && column.type === "category"),
  );
  return present.length === 0 ? null : indexSeries(table, present);
}

const NO_ISSUES = { issues: [], count: 0 };

/** Result of the check of a file's cells. */
type Checked = { issues: Issue[]; issueCount: number; warnings: CsvWarning[] };

/**
 * Adds issues of times: repeated ones, and ones that do not fit the end of the dataset. Skips files with other issues.
 */
export function withTimeIssues(
  checked: Checked,
  { table, times }: CsvResult,
  reading: Reading,
): Checked & { partColumns: string[] | null } {
  const column = table.columns.find(({ name }) => name === times?.column);
  const isDataset = "options" in reading || reading.anyOrder === true;
  if (checked.issueCount > 0 || column?.type !== "timestamp" || !isDataset)
    return { ...checked, partColumns: null };
  const { name, values } = column;
  const after = ("after" in reading ? reading.after : null) ?? null;
  const index = chosenSeries(table, reading);
  const { movedRows, ...order } = index === null ? checkTimes(values, name) : checkPanel(index, values, name);
  // Rows that are joined into steps may share a time.
  const ownIssues = reading.series?.resample ? NO_ISSUES : order.issues;
  const { issues, count } = after === null ? ownIssues : checkAddedTimes(values, name, after);
  const repeats = ownIssues.count > 0;
  const partColumns =
    repeats && index === null && times?.columns.length === 1 ? proposeParts(table.columns, name) : null;
  const hasOtherCause = partColumns !== null || index !== null;
  const choices =
    repeats && !hasOtherCause ? repeatedTimesChoices(table, { name, values }, times!, reading) : [];
  const [first, ...others] = issues;
  const series = choices.find(({ options }) => "series" in options);
  // Neither the repeated times nor their order is a mistake in a file of several series: the choice answers for all rows.
  if (first !== undefined && series !== undefined) {
    const message = `Times repeat, but the rows are ${series.label}: each of these has each time once.`;
    return { ...checked, issues: [{ ...first, message, choices }], issueCount: 1, partColumns };
  }
  const unsorted: CsvWarning[] = movedRows === 0 ? [] : [unsortedRows(name, movedRows)];
  return {
    issues: first !== undefined && choices.length > 0 ? [{ ...first, choices }, ...others] : issues,
    issueCount: count,
    warnings: [...checked.warnings, ...unsorted],
    partColumns,
  };
}

/** Finds the times that a series has twice, and the rows earlier than others of their series. */
function checkPanel(index: SeriesIndex, times: Float64Array, column: string) {
  const { order, movedRows } = orderPanel(index, times);
  const issues = new IssueList();
  findRepeatedTimes(index, { times, column, order }, issues);
  return { movedRows, issues };
}

/** Returns the probable causes of repeated times in a new dataset: several series, otherwise a clock change. */
function repeatedTimesChoices(
  table: Table,
  { name: timestamp, values }: { name: string; values: Float64Array },
  times: NonNullable<CsvResult["times"]>,
  reading: Reading,
): Choice[] {
  if (!("options" in reading)) return [];
  const parts = times.columns.filter((part) => part !== timestamp);
  const unused = [...parts, ...(reading.options.exclude ?? []), reading.series?.target ?? ""];
  const series = proposeSeriesChoice(table, { timestamp, isJoined: parts.length > 0, unused });
  if (series !== null) return [series];
  if ((reading.options.timezone ?? "UTC") !== "UTC") return [];
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zoneChoices(zonesOfRepeats(values, ownZone).slice(0, 3));
}

function unsortedRows(column: string, rows: number): CsvWarning {
  const message = `${counted(rows, "row is", "rows are")} earlier than a row above. The service sorts the rows by time.`;
  return { code: "rows_unsorted", column, message, rows };
}
