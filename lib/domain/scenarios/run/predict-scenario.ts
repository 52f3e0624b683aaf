import type { IntervalShape } from "#lib/contract/interval-shape";
import type { Summary } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import type { RowsPredictor } from "#lib/domain/models/rows-predictor";
import type { PredictionChunks } from "#lib/domain/scenarios/chunks/prediction-chunks";
import { type InputCheck, SERIES_WARNING_CODES } from "#lib/engine/inference/check-input";
import type { Members } from "#lib/engine/inference/members";
import { type PredictResult, seriesWarning } from "#lib/engine/inference/predict-table";
import { squaredWidths } from "#lib/engine/intervals/shape";
import { CellSums, cellsOf, type StoredTotals } from "#lib/engine/intervals/stored-totals";
import { totalIntervals } from "#lib/engine/intervals/total-intervals";
import { PanelTotal } from "#lib/engine/panel/panel-total";
import { RunningSummary, summarize } from "#lib/engine/series/summary";
import { dropColumns, findColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { DomainError } from "#lib/platform/errors/domain-error";
import { MemberSums } from "./member-sums.ts";

/** Number of rows per prediction call if rows do not build on each other. Small enough for frequent progress updates. */
const PART_ROWS = 32_768;

/** An input as one table or block by block. */
export type RowsToPredict = {
  rowCount: number;
  blocks: Iterable<Table> | AsyncIterable<Table>;
  /** Whether the blocks are not read again, so that their memory can be transferred. */
  areReadOnce: boolean;
};

export type ScenarioPredictions = {
  summary: Summary;
  /** Intervals at other levels; null for a model without them. */
  intervals: IntervalShape | null;
  /** Sums for the intervals of totals over any span. */
  totals: StoredTotals;
  /** First and last time, epoch milliseconds; null without times. */
  span: { first: number; last: number } | null;
  warnings: Warning[];
};

/** A model, and the timestamp of its series; null without times. */
type PredictingProject = Pick<LinkedProject, "model"> & {
  facts: Pick<NonNullable<LinkedProject["facts"]>, "timestamp"> | null;
};

type PredictingOptions = {
  /** Whether later rows use the predictions of earlier rows. */
  rowsBuildOnEachOther: boolean;
  predictor: RowsPredictor;
  members: Members | null;
  /** Known rows of the series, which the members read. */
  history: Table | undefined;
  chunks: Pick<PredictionChunks, "add">;
  onRows: (processed: number) => Promise<void>;
};

/**
 * Checks an input in memory.
 *
 * @returns the warnings
 * @throws {DomainError} input_invalid with the values that the model cannot use
 */
export function checkInputTable({ model, facts }: PredictingProject, table: Table): Warning[] {
  const check = model.checkInput(withoutAxis(table, model, facts?.timestamp));
  requireUsable(check);
  return check.warnings;
}

/** @throws {DomainError} input_invalid with the values that the model cannot use */
export function requireUsable({ issues, issueCount }: Pick<InputCheck, "issues" | "issueCount">): void {
  if (issueCount === 0) return;
  throw new DomainError("input_invalid", `The model cannot use the input: ${issues[0]?.message}`, {
    details: issues,
    unlisted: issueCount - issues.length,
  });
}

/** Predicts a valid input in row order, with prediction intervals if the model has them. */
export async function predictScenario(
  { model, facts }: PredictingProject,
  { rowCount, blocks, areReadOnce }: RowsToPredict,
  { rowsBuildOnEachOther, predictor, members, history, chunks, onRows }: PredictingOptions,
): Promise<ScenarioPredictions> {
  const summary = new RunningSummary();
  // The summary of many series is that of their total, like each chart of them.
  const panel = model.state.series && new PanelTotal();
  const cells = cellsOf(rowCount);
  const squares = new CellSums(cells);
  const memberSums = new MemberSums(members, cells, rowsBuildOnEachOther);
  let begun = 0;
  let squaresIfGiven: number | null = null;
  let shape = null as IntervalShape | null;
  const span = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  const warnings: PredictResult["warnings"] = [];
  let processed = 0;
  const take = async ({ times, result }: PredictedPart) => {
    const { predictions: prediction, intervals, warnings: newWarnings } = await result;
    const { lower = null, upper = null } = intervals ?? {};
    shape = intervals?.shape ?? null;
    if (intervals?.squaresIfGiven !== undefined)
      squaresIfGiven = (squaresIfGiven ?? 0) + intervals.squaresIfGiven;
    summary.add(prediction);
    if (times !== null) panel?.add(times, prediction, upper);
    if (upper !== null) squares.add(squaredWidths(prediction, upper));
    if (times !== null) extend(span, times);
    await chunks.add({ timestamps: times, prediction, lower, upper });
    warnings.push(...newWarnings);
    processed += prediction.length;
    await onRows(processed);
  };
  const waiting: PredictedPart[] = [];
  for await (const block of blocks) {
    const step = rowsBuildOnEachOther ? Math.max(1, rowCount) : PART_ROWS;
    for (let from = 0; from < block.rowCount; from += step) {
      const part = sliceRows(block, from, from + step);
      const timesColumn = facts === null ? undefined : findColumn(part, facts.timestamp);
      const times = timesColumn?.type === "timestamp" ? timesColumn.values.slice() : null;
      const isSpent = areReadOnce && part.rowCount === block.rowCount;
      const modelInput = withoutAxis(part, model, facts?.timestamp);
      // `add` copies the rows that members predict before a thread takes the part's memory, then runs beside the threads.
      const added = memberSums.add(modelInput, begun, history);
      begun += part.rowCount;
      const result = predictor.predict(modelInput, isSpent);
      result.catch(() => {}); // `take` reports the error.
      await added;
      waiting.push({ times, result });
      if (waiting.length >= predictor.atOnce) await take(waiting.shift()!);
    }
  }
  for (const part of waiting) await take(part);
  const totals = { ...cells, squares: shape && squares.prefix, members: memberSums.prefixes };
  const total = {
    sum: summary.value.sum ?? Number.NaN,
    count: summary.count,
    squaredWidths: totals.squares?.at(-1) ?? Number.NaN,
  };
  return {
    summary: {
      ...(panel ? summarize(panel.sums) : summary.value),
      ...totalIntervals(panel?.total(shape) ?? total, shape),
      generatedShare: generatedShare(squaresIfGiven, total.squaredWidths),
    },
    intervals: shape,
    totals,
    span: span.first > span.last ? null : span,
    warnings: mergeSeriesWarnings(model, warnings),
  };
}

/** Returns the share of the squared half widths that comes from generated inputs; null without such inputs. */
function generatedShare(ifGiven: number | null, squares: number): number | null {
  if (ifGiven === null) return null;
  return squares > 0 ? Math.max(0, 1 - ifGiven / squares) : 0;
}

type PredictedPart = { times: Float64Array | null; result: Promise<PredictResult> };

function extend(span: { first: number; last: number }, times: Float64Array): void {
  for (const time of times) {
    if (time < span.first) span.first = time;
    if (time > span.last) span.last = time;
  }
}

/**
 * Merges the parts' warnings about times, each once with the total number of rows. Warnings about values come from the
 * check of the complete input.
 */
function mergeSeriesWarnings(
  { state }: LinkedProject["model"],
  warnings: PredictResult["warnings"],
): Warning[] {
  return SERIES_WARNING_CODES.flatMap((code) => {
    const rows = warnings.reduce(
      (sum, warning) => sum + (warning.code === code ? (warning.rows ?? 0) : 0),
      0,
    );
    return rows > 0 ? [seriesWarning(state, code, rows)] : [];
  });
}

/** Drops the timestamp column if the model does not read it, as imported models do not. */
function withoutAxis(table: Table, model: LinkedProject["model"], timestamp: string | undefined): Table {
  if (timestamp === undefined || model.inputFeatures.some(({ name }) => name === timestamp)) return table;
  return dropColumns(table, [timestamp]);
}
