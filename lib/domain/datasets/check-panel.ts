import { counted } from "#lib/contract/counted";
import { stepWord } from "#lib/contract/duration-text";
import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import { IssueList, shorten } from "#lib/engine/csv/issues";
import { type Origin, placeIssues } from "#lib/engine/csv/origin";
import type { Panel } from "#lib/engine/panel/panel";
import type { PanelFrequency } from "#lib/engine/panel/panel-frequency";
import { findRepeatedTimes } from "#lib/engine/panel/panel-order";
import { type SeriesIndex, seriesText } from "#lib/engine/panel/series-index";
import { DomainError, type ErrorDetail, issueError } from "#lib/platform/errors/domain-error";
import { csvError } from "./csv-error.ts";

/** @throws {DomainError} input_invalid for more rows or series than a dataset may have */
export function requireSeriesLimits({ rowCount }: Table, { columns, values }: SeriesIndex): void {
  const figure = (count: number) => count.toLocaleString("en");
  if (rowCount > limits.panelRows) {
    const message = `The file has ${figure(rowCount)} rows. A dataset with series has at most ${figure(limits.panelRows)} rows. Leave out early rows or some series.`;
    throw issueError("input_invalid", { code: "too_many_rows", message });
  }
  if (values.length > limits.series) {
    const message = `The values of ${columns.map((name) => `"${shorten(name)}"`).join(", ")} name ${figure(values.length)} series. A dataset has at most ${figure(limits.series)} series. Name fewer columns in \`series\`, or leave out some series.`;
    throw issueError("input_invalid", { field: "series", code: "too_many_series", message });
  }
}

/** @throws {DomainError} input_invalid for times that a series has twice */
export function rejectRepeatedTimes(
  index: SeriesIndex,
  rows: { times: Float64Array; column: string; order: Int32Array | null },
  origin: Origin,
): void {
  const issues = new IssueList();
  findRepeatedTimes(index, rows, issues);
  if (issues.count > 0)
    throw csvError({ issues: placeIssues(issues.issues, origin), issueCount: issues.count });
}

/** @throws {DomainError} input_invalid for series whose step or times differ from those of most rows */
export function rejectOtherFrequencies(
  panel: Panel,
  timestamp: string,
  { frequency, others, shifted }: PanelFrequency,
): void {
  const place = others[0]?.place ?? shifted[0];
  if (place === undefined || frequency === null) return;
  const { columns, values } = panel.index;
  const nameOf = (one: number) => seriesText(columns, values[one]!.map(shorten));
  const common = stepWord(frequency);
  const details = [
    ...others.map(({ place: at, frequency: own }) =>
      detail(
        timestamp,
        "series_frequency",
        `The series ${nameOf(at)} has the step "${stepWord(own)}", but most rows have the step "${common}". All series need one step: leave the series out, or add its missing times.`,
      ),
    ),
    ...shifted.map((at) => {
      const time = new Date(panel.times[panel.starts[at]!]!).toISOString();
      return detail(
        timestamp,
        "series_shifted",
        `The series ${nameOf(at)} has times such as ${time}, between those of most series. All series need the times of one step "${common}": move its times, or leave it out.`,
      );
    }),
  ];
  const listed = details.slice(0, limits.errorDetails);
  const more = details.length - 1;
  const message = `${details[0]!.message}${more > 0 ? ` ${counted(more, "other series differs", "other series differ")} too.` : ""}`;
  throw new DomainError("input_invalid", message, {
    details: listed,
    unlisted: details.length - listed.length,
  });
}

const detail = (column: string, code: string, message: string): ErrorDetail => ({
  field: "series",
  column,
  code,
  message,
});
