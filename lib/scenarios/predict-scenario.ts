import type { Warning } from "#lib/contract/datasets";
import type { Table } from "#lib/contract/table";
import { DomainError } from "#lib/errors/domain-error";
import type { PredictResult } from "#lib/ml/model/load-model";
import { dropColumns, findColumn } from "#lib/ml/table/columns";
import { sliceRows } from "#lib/ml/table/rows";
import type { StoredSeries } from "#lib/predictions/read-predictions";
import type { PinnedProject } from "./pinned-series.ts";

/** Rows that are predicted in one go where rows do not build on each other: often enough for progress to move. */
const BATCH_ROWS = 16_384;

export type ScenarioPredictions = { series: StoredSeries; warnings: Warning[] };

/**
 * Predicts a scenario's input, with intervals where the model has them.
 *
 * @param history rows that count as known where they are others than those kept with the model
 * @param buildOnEachOther whether the model looks back at earlier values of its target
 * @throws {DomainError} input_invalid naming what the model cannot use
 */
export async function predictScenario(
  { model, facts }: PinnedProject,
  { table, history }: { table: Table; history: Table | undefined },
  { buildOnEachOther, onRows }: { buildOnEachOther: boolean; onRows: (processed: number) => Promise<void> },
): Promise<ScenarioPredictions> {
  const check = model.checkInput(withoutAxis(table, model, facts?.timestamp));
  if (check.faultCount > 0) {
    throw new DomainError("input_invalid", `The model cannot use the input: ${check.faults[0]?.message}`, {
      details: check.faults,
    });
  }
  const include = { intervals: true };
  const prediction = new Float64Array(table.rowCount);
  const lower = new Float64Array(table.rowCount);
  const upper = new Float64Array(table.rowCount);
  let hasIntervals = table.rowCount > 0;
  const warnings: PredictResult["warnings"] = [];
  const step = buildOnEachOther ? Math.max(1, table.rowCount) : BATCH_ROWS;
  for (let from = 0; from < table.rowCount; from += step) {
    const part = sliceRows(check.table, from, from + step);
    const result = await model.predict(part, { history, include });
    prediction.set(result.predictions, from);
    hasIntervals &&= result.intervals !== undefined;
    lower.set(result.intervals?.lower ?? [], from);
    upper.set(result.intervals?.upper ?? [], from);
    warnings.push(...result.warnings.filter(({ code }) => seriesWarnings.has(code)));
    await onRows(Math.min(table.rowCount, from + step));
  }
  const times = facts === null ? undefined : findColumn(table, facts.timestamp);
  return {
    series: {
      timestamps: times?.type === "timestamp" ? times.values : null,
      prediction,
      lower: hasIntervals ? lower : null,
      upper: hasIntervals ? upper : null,
    },
    warnings: [...check.warnings, ...summedUp(warnings)],
  };
}

/** Warnings about where rows lie in time; those about values are of the check of the whole input. */
const seriesWarnings = new Set<Warning["code"]>(["incomplete_history", "beyond_horizon"]);

/** One warning a code, with the rows of all batches; its message begins with their number. */
function summedUp(warnings: PredictResult["warnings"]): Warning[] {
  return [...Map.groupBy(warnings, ({ code }) => code).values()].map((same) => {
    const rows = same.reduce((sum, warning) => sum + (warning.rows ?? 0), 0);
    return { ...same[0]!, rows, message: same[0]!.message.replace(/^\d+/, String(rows)) };
  });
}

/** The input without the times that a model from outside does not read. */
function withoutAxis(table: Table, model: PinnedProject["model"], timestamp: string | undefined): Table {
  if (timestamp === undefined || model.inputFeatures.some(({ name }) => name === timestamp)) return table;
  return dropColumns(table, [timestamp]);
}
