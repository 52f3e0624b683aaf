import type { Warning } from "#lib/contract/datasets";
import type { Table } from "#lib/contract/table";
import { DomainError } from "#lib/errors/domain-error";
import { createGrid } from "#lib/ml/features/grid";
import type { PredictResult } from "#lib/ml/model/load-model";
import { findColumn, numericValues, selectColumns } from "#lib/ml/table/columns";
import { concatTables } from "#lib/ml/table/concat";
import { sliceRows, takeRows } from "#lib/ml/table/rows";
import type { StoredSeries } from "#lib/predictions/read-predictions";
import type { PinnedProject, PinnedSeries } from "./pinned-series.ts";

/** Rows that are predicted in one go where rows do not build on each other: often enough for progress to move. */
const BATCH_ROWS = 16_384;

export type ScenarioPredictions = { series: StoredSeries; warnings: Warning[] };

/**
 * Predicts a scenario's input, with intervals where the model has them.
 *
 * @param buildOnEachOther whether the model looks back at earlier values of its target
 * @throws {DomainError} input_invalid naming what the model cannot use
 */
export async function predictScenario(
  pinned: PinnedSeries,
  project: PinnedProject,
  table: Table,
  { buildOnEachOther, onRows }: { buildOnEachOther: boolean; onRows: (processed: number) => Promise<void> },
): Promise<ScenarioPredictions> {
  const { model, facts } = project;
  const check = model.checkInput(table);
  if (check.faultCount > 0) {
    throw new DomainError("input_invalid", `The model cannot use the input: ${check.faults[0]?.message}`, {
      details: check.faults,
    });
  }
  const history = (await pinned.history(project.projectId)) ?? undefined;
  const include = { intervals: true };
  const prediction = new Float64Array(table.rowCount);
  const lower = new Float64Array(table.rowCount);
  const upper = new Float64Array(table.rowCount);
  let hasIntervals = table.rowCount > 0;
  const warnings: PredictResult["warnings"] = [];
  const step = buildOnEachOther ? Math.max(1, table.rowCount) : BATCH_ROWS;
  for (let from = 0; from < table.rowCount; from += step) {
    const part = sliceRows(check.table, from, from + step);
    const input = buildOnEachOther ? await withRowsBetween(pinned, project, part) : part;
    const result = await model.predict(input, { history, include });
    prediction.set(result.predictions.subarray(0, part.rowCount), from);
    hasIntervals &&= result.intervals !== undefined;
    lower.set(result.intervals?.lower.subarray(0, part.rowCount) ?? [], from);
    upper.set(result.intervals?.upper.subarray(0, part.rowCount) ?? [], from);
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

/**
 * Below the input the steps between the known series and its rows that it lacks, from generated inputs: a model that
 * looks back must go through them to get to the later ones.
 */
async function withRowsBetween(
  pinned: PinnedSeries,
  { projectId, facts }: PinnedProject,
  input: Table,
): Promise<Table> {
  if (facts === null || facts.grid === null || facts.lastTimestamp === null || input.rowCount === 0)
    return input;
  const { indexOf } = createGrid(facts.grid);
  const last = indexOf(facts.lastTimestamp);
  const cells = numericValues(input, facts.timestamp).map(indexOf);
  const present = new Set(cells.filter((cell) => cell > last));
  const end = [...present].reduce((most, cell) => Math.max(most, cell), last);
  if (present.size === end - last) return input;
  const latest = numericValues(input, facts.timestamp).reduce((most, time) => Math.max(most, time));
  const { table } = await pinned.generate(projectId, latest);
  const generated = numericValues(table, facts.timestamp).map(indexOf);
  const rows = Int32Array.from(generated.keys()).filter((row) => !present.has(generated[row]!));
  const between = await pinned.withUpstream(projectId, takeRows(table, rows));
  const names = input.columns.map(({ name }) => name);
  return concatTables([input, selectColumns(between, names)]);
}
