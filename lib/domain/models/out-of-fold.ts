import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { loadModel } from "#lib/engine/inference/load-model";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitInThread } from "#lib/engine/training/fit-in-thread";
import type { FitInput } from "#lib/engine/training/fit-model";

/** Fractions of the rows to train on before the next window is predicted. */
const WINDOWS = [0.1, 0.2, 0.4, 0.6, 0.8];

/** Minimum rows per window: a model of fewer rows makes predictions that a downstream model should not trust. */
const WINDOW_ROWS_MIN = 30;

/**
 * Predicts a model's training rows out of fold. Each window trains on all earlier rows and predicts the rows up to the
 * next window's end. Predictions of seen rows would hide the errors that a downstream model meets later.
 *
 * @param input rows in time order, as for `fitModel`
 * @returns one value per row; NaN for the first rows, which have too little data before them
 */
export async function outOfFoldPredictions(
  input: Omit<FitInput, "request">,
  request: TrainModel,
  options: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
): Promise<Float64Array> {
  const { table, target } = input;
  const predictions = new Float64Array(table.rowCount).fill(Number.NaN);
  const ends = WINDOWS.map((part) => Math.floor(part * table.rowCount));
  for (const [fold, end] of ends.entries()) {
    options.onProgress?.(fold / ends.length);
    const next = ends[fold + 1] ?? table.rowCount;
    if (end < WINDOW_ROWS_MIN || next <= end) continue;
    const part = await predictNext({ ...input, request }, end, next, options.signal);
    if (part) predictions.set(part, end);
  }
  options.onProgress?.(1);
  return predictions;

  async function predictNext(fit: FitInput, end: number, next: number, signal?: AbortSignal) {
    try {
      const { files } = await fitInThread(
        { ...fit, table: sliceRows(table, 0, end), upstream: cutUpstream(fit.upstream, 0, end) },
        { signal },
      );
      const model = await loadModel(async (name) => files.get(name)!);
      try {
        const rows = withUpstream(sliceRows(table, end, next), cutUpstream(fit.upstream, end, next));
        const history = withUpstream(table, fit.upstream);
        const check = model.checkInput(dropColumns(rows, [target]));
        if (check.issueCount > 0) return null;
        const useHistory = model.state.timestamp !== null;
        return (await model.predict(check.table, useHistory ? { history } : {})).predictions;
      } finally {
        await model.release();
      }
    } catch (cause) {
      // A window in which nothing varies has no model; the next window may have one.
      if (cause instanceof TrainingImpossible) return null;
      throw cause;
    }
  }
}

function cutUpstream(
  upstream: FitInput["upstream"],
  from: number,
  to: number,
): NonNullable<FitInput["upstream"]> {
  return (upstream ?? []).map(({ column, sourceProjectId }) => {
    const [part] = sliceRows({ rowCount: to, columns: [column] }, from, to).columns;
    return { column: part!, sourceProjectId };
  });
}

function withUpstream(table: Table, upstream: FitInput["upstream"]): Table {
  return { ...table, columns: [...table.columns, ...(upstream ?? []).map(({ column }) => column)] };
}
