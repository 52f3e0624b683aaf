import { limits } from "#lib/contract/limits";
import { duplicateTime } from "./cell-issues.ts";
import { type Issue, IssueList, shorten } from "./issues.ts";

type TimeOrder = {
  /** Row indexes in the order of their times; null if the rows are in that order. */
  order: number[] | null;
  /** Number of rows that follow a row with a later time. */
  movedRows: number;
  /** Times that occur in two rows. */
  issues: IssueList;
};

/**
 * Finds the order of rows by time. Rows of a dataset may come in any order, but a series has one row per time. The
 * browser preview and the service share this check.
 *
 * @param times epoch milliseconds, none missing
 */
export function checkTimes(times: Float64Array, column: string): TimeOrder {
  const order = Array.from(times, (_, row) => row);
  let movedRows = 0;
  let latest = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < latest) movedRows++;
    else latest = time;
  }
  if (movedRows > 0) order.sort((a, b) => times[a]! - times[b]! || a - b);
  const issues = new IssueList();
  for (let i = 1; i < order.length; i++) {
    const row = order[i]!;
    const before = order[i - 1]!;
    if (times[row] !== times[before]) continue;
    issues.addLazily(row + 1, column, () => duplicateTime(row + 1, column, times[row]!, before + 1));
  }
  return { order: movedRows > 0 ? order : null, movedRows, issues };
}

/**
 * End of the dataset that rows are added to, in epoch milliseconds. `next` is the start of the next step if the dataset is
 * resampled; otherwise null. Steps that the dataset already has take no more rows. From `limit` on, times are
 * rejected, because a model's memory grows with every step up to the last row.
 */
export type DatasetEnd = { last: number; next: number | null; limit: number };

/**
 * Finds times of added rows that are not after the dataset's end, that are too far after it, or that occur in two of the
 * rows. Rows to resample may share a time.
 *
 * @param times epoch milliseconds, none missing
 */
export function checkAddedTimes(times: Float64Array, column: string, end: DatasetEnd): IssueList {
  const { last, next } = end;
  const issues = next === null ? checkTimes(times, column).issues : new IssueList();
  times.forEach((time, index) => {
    if (time >= end.limit) issues.addLazily(index + 1, column, () => tooFar(index + 1, column, time, end));
    else if (next === null ? time <= last : time < next)
      issues.addLazily(index + 1, column, () => notAfter(index + 1, column, time, end));
  });
  return issues;
}

function notAfter(row: number, column: string, time: number, { last, next }: DatasetEnd): Issue {
  const value = new Date(time).toISOString();
  const end = new Date(last).toISOString();
  const begin = next === null ? null : new Date(next).toISOString();
  const reason =
    begin === null
      ? `is not after ${end}, the last time of the dataset with a target`
      : `is before ${begin}, the start of the first step after the dataset`;
  const message = `Row ${row}, column "${shorten(column)}": the time ${value} ${reason}.`;
  const expected = begin === null ? `a time after ${end}` : `${begin} or later`;
  return { row, column, value, code: "timestamps_unsorted", message, expected };
}

/** Reports a time from the limit of the dataset's end on. */
export function tooFar(row: number, column: string, time: number, { last, limit }: DatasetEnd): Issue {
  const value = new Date(time).toISOString();
  const end = new Date(last).toISOString();
  const message = `Row ${row}, column "${shorten(column)}": the time ${value} is too far after ${end}, the last time of the dataset: a series has at most ${limits.tableValues.toLocaleString("en")} steps. Correct the time, or resample the rows to longer steps.`;
  const expected = `a time before ${new Date(limit).toISOString()}`;
  return { row, column, value, code: "timestamp_too_far", message, expected };
}
