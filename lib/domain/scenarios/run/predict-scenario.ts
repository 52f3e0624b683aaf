import type { Warning } from "#lib/contract/datasets";
import type { Table } from "#lib/contract/table";
import type { RowsPredictor } from "#lib/domain/models/rows-predictor";
import type { PredictionChunks } from "#lib/domain/scenarios/predictions/prediction-chunks";
import { type InputCheck, SERIES_WARNING_CODES } from "#lib/engine/inference/check-input";
import { type PredictResult, seriesWarning } from "#lib/engine/inference/predict-table";
import { RunningSummary, type SeriesSummary } from "#lib/engine/series/summary";
import { dropColumns, findColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { DomainError } from "#lib/platform/errors/domain-error";
import type { PinnedProject } from "./pinned-models.ts";

/** Rows that are predicted in one go where rows do not build on each other: often enough for progress to move. */
const PART_ROWS = 32_768;

/** An input, whole or block by block. */
export type RowsToPredict = {
  rowCount: number;
  blocks: Iterable<Table> | AsyncIterable<Table>;
  /** Whether nobody reads the blocks afterwards. */
  areSpent: boolean;
};

export type ScenarioPredictions = {
  summary: SeriesSummary;
  /** Epoch milliseconds; null without times. */
  span: { first: number; last: number } | null;
  warnings: Warning[];
};

export type PredictingOptions = {
  /** Whether the model looks back at earlier values of its target. */
  buildOnEachOther: boolean;
  predictor: RowsPredictor;
  chunks: PredictionChunks;
  onRows: (processed: number) => Promise<void>;
};

/**
 * Checks an input that lies in memory.
 *
 * @throws {DomainError} input_invalid naming what the model cannot use
 */
export function checkWhole({ model, facts }: PinnedProject, table: Table): Warning[] {
  const check = model.checkInput(withoutAxis(table, model, facts?.timestamp));
  requireUsable(check);
  return check.warnings;
}

/** @throws {DomainError} input_invalid naming what the model cannot use */
export function requireUsable({ faults, faultCount }: Pick<InputCheck, "faults" | "faultCount">): void {
  if (faultCount === 0) return;
  throw new DomainError("input_invalid", `The model cannot use the input: ${faults[0]?.message}`, {
    details: faults,
  });
}

/** Predicts a scenario's input, which has no faults, with intervals where the model has them, in the order of its rows. */
export async function predictScenario(
  { model, facts }: PinnedProject,
  { rowCount, blocks, areSpent }: RowsToPredict,
  { buildOnEachOther, predictor, chunks, onRows }: PredictingOptions,
): Promise<ScenarioPredictions> {
  const summary = new RunningSummary();
  const span = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  const warnings: PredictResult["warnings"] = [];
  let processed = 0;
  const take = async ({ times, result }: PredictedPart) => {
    const { predictions: prediction, intervals, warnings: found } = await result;
    const { lower = null, upper = null } = intervals ?? {};
    summary.add(prediction);
    if (times !== null) extend(span, times);
    await chunks.add({ timestamps: times, prediction, lower, upper });
    warnings.push(...found);
    processed += prediction.length;
    await onRows(processed);
  };
  const waiting: PredictedPart[] = [];
  for await (const block of blocks) {
    const step = buildOnEachOther ? Math.max(1, rowCount) : PART_ROWS;
    for (let from = 0; from < block.rowCount; from += step) {
      const part = sliceRows(block, from, from + step);
      const timesColumn = facts === null ? undefined : findColumn(part, facts.timestamp);
      const times = timesColumn?.type === "timestamp" ? timesColumn.values.slice() : null;
      const isSpent = areSpent && part.rowCount === block.rowCount;
      const result = predictor.predict(withoutAxis(part, model, facts?.timestamp), isSpent);
      result.catch(() => {}); // Whoever takes it hears of it.
      waiting.push({ times, result });
      if (waiting.length >= predictor.atOnce) await take(waiting.shift()!);
    }
  }
  for (const part of waiting) await take(part);
  return {
    summary: summary.value,
    span: span.first > span.last ? null : span,
    warnings: summedUp(model, warnings),
  };
}

type PredictedPart = { times: Float64Array | null; result: Promise<PredictResult> };

function extend(span: { first: number; last: number }, times: Float64Array): void {
  for (const time of times) {
    if (time < span.first) span.first = time;
    if (time > span.last) span.last = time;
  }
}

/** Warnings about where rows lie in time, each once, with the rows of all parts; those about values are of the check of the whole input. */
function summedUp({ state }: PinnedProject["model"], warnings: PredictResult["warnings"]): Warning[] {
  return SERIES_WARNING_CODES.flatMap((code) => {
    const rows = warnings.reduce(
      (sum, warning) => sum + (warning.code === code ? (warning.rows ?? 0) : 0),
      0,
    );
    return rows > 0 ? [seriesWarning(state, code, rows)] : [];
  });
}

/** The input without the times that a model from outside does not read. */
function withoutAxis(table: Table, model: PinnedProject["model"], timestamp: string | undefined): Table {
  if (timestamp === undefined || model.inputFeatures.some(({ name }) => name === timestamp)) return table;
  return dropColumns(table, [timestamp]);
}
