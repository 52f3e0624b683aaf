import type { IntervalShape } from "#lib/contract/interval-shape";
import type { Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { NUMBER_MAX } from "#lib/engine/table/check-table";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import type { Judged } from "./measure.ts";
import { naiveAtRows } from "./naive-of.ts";

/** Maximum number of rows to measure, the latest ones. More rows would make the response slow. */
export const JUDGED_ROWS_MAX = 20_000;

/** Predictions of known rows, and the shape of their intervals; null for a model without them. */
type JudgedRows = Judged & { shape: IntervalShape | null };

/**
 * Predicts known rows of a series as in validation: with their actual inputs, each row from its forecast origin.
 *
 * @param history all known rows in ascending time order, with the target and every input feature
 * @param since only rows after this time (epoch milliseconds) are predicted
 * @returns null if no such row has a known target, or the reason why the model cannot predict the rows
 */
export async function judgeModel(
  model: OpenModel,
  { history, timestamp, since }: { history: Table; timestamp: string; since: number },
): Promise<JudgedRows | { reason: string } | null> {
  const allTimes = numericValues(history, timestamp);
  const targets = numericValues(history, model.state.target);
  const rows = Int32Array.from(allTimes.keys())
    .filter((row) => allTimes[row]! > since && !Number.isNaN(targets[row]))
    .slice(-JUDGED_ROWS_MAX);
  return rows.length === 0 ? null : judgeRows(model, { history, timestamp, rows });
}

/**
 * Predicts chosen rows of the known rows (from 0), as in validation.
 *
 * @returns the reason if the model cannot predict them
 */
export async function judgeRows(
  model: OpenModel,
  { history, timestamp, rows }: { history: Table; timestamp: string; rows: Int32Array },
): Promise<JudgedRows | { reason: string }> {
  const names = model.inputFeatures.map(({ name }) => name);
  const lacking = names.find((name) => history.columns.every((column) => column.name !== name));
  if (lacking !== undefined)
    return { reason: `The rows have no column "${lacking}", which the model needs.` };
  const check = model.checkInput(takeRows(selectColumns(history, names), rows));
  if (check.issueCount > 0)
    return { reason: `The model cannot predict the rows: ${check.issues[0]?.message}` };
  const { predictions, intervals } = await model.predict(check.table, {
    history,
    include: { intervals: true },
  });
  if (predictions.some((value) => Math.abs(value) > NUMBER_MAX))
    return { reason: `The model predicts values beyond ${NUMBER_MAX}, whose errors cannot be measured.` };
  const take = (name: string) => {
    const values = numericValues(history, name);
    return Float64Array.from(rows, (row) => values[row]!);
  };
  return {
    times: take(timestamp),
    actual: take(model.state.target),
    predicted: predictions,
    lower: intervals?.lower ?? null,
    upper: intervals?.upper ?? null,
    baseline: naiveAtRows(model, history, rows),
    areClasses: model.state.classes !== undefined,
    shape: intervals?.shape ?? null,
  };
}

/** Returns the time of the last row that a model was fitted on, in epoch milliseconds; −∞ if unknown. */
export function learnedUntil({ history, state }: Pick<OpenModel, "history" | "state">): number {
  if (state.learnedUntil !== undefined) return state.learnedUntil ?? Number.NEGATIVE_INFINITY;
  // Models of version 1 were not fitted on their validation rows.
  if (history === null || state.timestamp === null) return Number.NEGATIVE_INFINITY;
  const times = numericValues(history, state.timestamp);
  return times[history.rowCount - state.validationRows - 1] ?? Number.NEGATIVE_INFINITY;
}
