import type { Table } from "#lib/contract/table";
import { outsideTraining } from "#lib/engine/csv/outside-training";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import { stillGenerated } from "#lib/engine/inference/adjustments";
import { findColumn } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { type Condition, type Lever, seekGoal } from "#lib/engine/what-if/goal-seek";
import { measuredRows } from "#lib/engine/what-if/tried-rows";
import { readSpan, type SpanSource } from "./try-inputs.ts";

type TrySettings = SpanSource & {
  levers: readonly Lever[];
  goal: Condition;
  constraints: readonly Condition[];
  settingsMax: number;
  /** Time for the search, in milliseconds. */
  timeMs: number;
};

/**
 * Seeks the setting of levers that comes closest to a goal, and finds its values outside the training data.
 *
 * @throws the errors of `readSpan`
 */
export async function trySettings({
  artifactKey,
  inputKey,
  rows,
  history,
  timeMs,
  timestamp,
  from,
  to,
  ...seeking
}: TrySettings) {
  const { model, table, generated } = await readSpan({ artifactKey, inputKey, rows });
  const withIntervals = [seeking.goal, ...seeking.constraints].some(
    ({ of = "prediction" }) => of !== "prediction",
  );
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const spanned = seeking.levers.map(({ feature, operation }) => ({ feature, operation, ...span }));
  const kept = stillGenerated(generated, spanned);
  const predict = async (changed: Table) => {
    const options = { history, generated: kept, include: { intervals: withIntervals } };
    const { predictions, intervals } = await model.predict(changed, options);
    return { prediction: predictions, ...(intervals && { lower: intervals.lower, upper: intervals.upper }) };
  };
  const end = performance.now() + timeMs;
  const tried = { table, timestamp, ...span };
  const best = await seekGoal(predict, tried, { ...seeking, isOver: () => performance.now() > end });
  const adjustments = seeking.levers.map(({ feature, operation }, at) => ({
    feature,
    operation,
    value: best.values[at]!,
  }));
  const adjusted = applyAdjustments(
    table,
    adjustments.map((one) => ({ ...one, ...span })),
    timestamp,
  );
  const measured = adjusted.ok ? takeRows(adjusted.table, measuredRows(tried)) : null;
  const outside = [...new Set(seeking.levers.map(({ feature }) => feature))].flatMap((feature) => {
    const trained = model.inputFeatures.find(({ name }) => name === feature);
    const column = measured && findColumn(measured, feature);
    const outside = trained && column ? outsideTraining(column, trained) : null;
    return outside ? [{ feature, rows: outside.rows }] : [];
  });
  return { ...best, adjustments, outside };
}
