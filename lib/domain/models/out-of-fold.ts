import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { loadModel } from "#lib/engine/inference/load-model";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitInThread } from "#lib/engine/training/fit-in-thread";
import type { FitInput } from "#lib/engine/training/fit-model";

/** Parts of the rows that have been learned from before the next ones are predicted. */
const WINDOWS = [0.1, 0.2, 0.4, 0.6, 0.8];

/** Fewer rows teach a model nothing that its successor should learn to trust. */
const WINDOW_ROWS_MIN = 30;

/**
 * What a model would have predicted for its own training rows had it not seen them: the rows are learned from window by
 * window, each longer than the one before, and each model predicts the rows up to the next window's end. A model that
 * learns from these predictions meets errors such as it will meet later, which those on seen rows would hide.
 *
 * @param input rows in the order of time, as for `fitModel`
 * @returns one value a row; NaN for the first ones, before which there is too little to learn from
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
        if (check.faultCount > 0) return null;
        const useHistory = model.state.timestamp !== null;
        return (await model.predict(check.table, useHistory ? { history } : {})).predictions;
      } finally {
        await model.release();
      }
    } catch (cause) {
      // A window in which nothing varies yet has no model; the next one may.
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
