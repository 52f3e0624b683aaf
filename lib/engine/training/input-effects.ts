import type { InputEffect } from "#lib/contract/input-effects";
import { INTERVAL_LEVEL } from "#lib/contract/interval-shape";
import type { Column, Table } from "#lib/contract/table";
import { inputReach } from "#lib/engine/features/input-lags";
import type { Learner } from "#lib/engine/inference/learner";
import { studentQuantile } from "#lib/engine/intervals/difference-interval";
import { numericValues, requireColumn, withColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import type { CandidateContext, Fitted } from "./candidate.ts";
import { predictorOf } from "./predict-fold.ts";

/** Number of latest rows whose predictions are compared. */
const ROWS_MAX = 200;
/** Maximum number of inputs, and of predicted rows of all members together. */
const INPUTS_MAX = 100;
const PREDICTED_ROWS_MAX = 400_000;
/** Change of an input whose effect is in proportion. */
const FACTOR = 1.1;

/**
 * Returns what the model learned of each numeric input: the mean change of its latest predictions when only this input
 * changes. A model of logarithms has effects in per cent. The change is +10% of an input that the model reads as logarithm,
 * otherwise the power of ten near the input's standard deviation. It lasts, so rows that read earlier inputs from before the
 * change are left out. The members give the interval. An input that the model does not read is absent.
 */
export async function inputEffects(
  context: CandidateContext,
  finalModel: Fitted,
  members: readonly Learner[],
): Promise<InputEffect[]> {
  const { data, known, signs } = context;
  // A column may be named like a method of objects, such as "toString".
  const expectedSigns = new Map(Object.entries(signs));
  const { steps } = finalModel.pipeline;
  const read = new Set(steps.flatMap((step) => ("feature" in step ? [step.feature] : [])));
  const columns = data.inputs
    .filter((name) => read.has(name))
    .map((name) => requireColumn(data.table, name))
    .filter(({ type }) => type === "number" || type === "boolean")
    .slice(0, INPUTS_MAX);
  const rows = sliceRows(data.table, Math.max(0, data.table.rowCount - ROWS_MAX));
  const work = rows.rowCount * columns.length * (members.length + 1);
  const used = work > PREDICTED_ROWS_MAX ? [] : members;
  const predictors = [finalModel.learner, ...used].map((learner) =>
    predictorOf(context, { ...finalModel, learner }),
  );
  const first = Math.min(inputReach(finalModel.pipeline), rows.rowCount >> 1);
  const totals = async (table: Table): Promise<number[]> => {
    const sums: number[] = [];
    for (const predictor of predictors) {
      const { predictions } = await predictor.predict(table, known);
      sums.push(predictions.subarray(first).reduce((sum, value) => sum + value, 0));
    }
    return sums;
  };
  const isOfLogs =
    finalModel.learner.kind === "blend" && finalModel.learner.parts.some(({ factor }) => factor);
  const before = await totals(rows);
  const effects: InputEffect[] = [];
  for (const column of columns) {
    const isLogarithm = steps.some(
      (step) => step.op === "number" && step.feature === column.name && step.log !== undefined,
    );
    const { change, from, to } = changeOf(column, rows, isLogarithm);
    const start = from === null ? before : await totals(withColumn(rows, from));
    const end = await totals(withColumn(rows, to));
    const [effect, ...others] = end.map((total, at) =>
      isOfLogs ? 100 * (total / start[at]! - 1) : (total - start[at]!) / (rows.rowCount - first),
    ) as [number, ...number[]];
    const variance =
      others.reduce((sum, one) => sum + (one - effect) ** 2, 0) / Math.max(1, others.length - 1);
    const width = studentQuantile(INTERVAL_LEVEL, Math.max(1, others.length - 1)) * Math.sqrt(variance);
    const hasBounds = others.length > 1 && Number.isFinite(width);
    const expected = expectedSigns.get(column.name) ?? null;
    if (!Number.isFinite(effect)) continue;
    effects.push({
      feature: column.name,
      change,
      unit: isOfLogs ? "percent" : "target",
      effect,
      lower: hasBounds ? effect - width : null,
      upper: hasBounds ? effect + width : null,
      correlation: correlation(numericValues(data.table, column.name), data.targets),
      expected,
      warning: warningOf(effect, hasBounds ? width : 0, expected),
    });
  }
  return effects;
}

/** Returns the change of an input, and the columns before (null: as it is) and after. */
function changeOf(
  column: Column,
  rows: Table,
  isLogarithm: boolean,
): { change: InputEffect["change"]; from: Column | null; to: Column } {
  const values = numericValues(rows, column.name);
  const all = numericValues({ rowCount: values.length, columns: [column] }, column.name);
  const columnOf = (changed: Float64Array): Column => ({ ...column, values: changed }) as Column;
  const step = stepOf(all);
  const isSwitch = all.every((value) => value === 0 || value === 1 || Number.isNaN(value));
  if (isSwitch)
    return {
      change: { operation: "set", value: 1 },
      from: columnOf(new Float64Array(values.length)),
      to: columnOf(new Float64Array(values.length).fill(1)),
    };
  return isLogarithm
    ? {
        change: { operation: "multiply", value: FACTOR },
        from: null,
        to: columnOf(values.map((value) => value * FACTOR)),
      }
    : {
        change: { operation: "add", value: step },
        from: null,
        to: columnOf(values.map((value) => value + step)),
      };
}

/** Returns the power of ten next to the standard deviation of the known values: a smaller step hardly moves trees. */
function stepOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const deviation = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length);
  return deviation > 0 ? Number(`1e${Math.round(Math.log10(deviation))}`) : 1;
}

function warningOf(effect: number, width: number, expected: InputEffect["expected"]): InputEffect["warning"] {
  const sign = expected === "increasing" ? 1 : -1;
  if (expected !== null && !(effect * sign > 0)) return "contradicts_expected";
  return Math.abs(effect) <= width ? "uncertain_sign" : null;
}

/** Returns Pearson's correlation over the rows with both values; null if one of them does not vary. */
function correlation(x: Float64Array, y: Float64Array): number | null {
  const rows = [...x.keys()].filter((row) => !Number.isNaN(x[row]!) && !Number.isNaN(y[row]!));
  const meanOf = (values: Float64Array) => rows.reduce((sum, row) => sum + values[row]!, 0) / rows.length;
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  let [xx, yy, xy] = [0, 0, 0];
  for (const row of rows) {
    const [dx, dy] = [x[row]! - meanX, y[row]! - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  const correlation = xy / Math.sqrt(xx * yy);
  return Number.isFinite(correlation) ? Math.max(-1, Math.min(1, correlation)) : null;
}
