import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { type PastInputs, pastInputs } from "#lib/engine/forecasting/past-inputs";
import { loadModel } from "#lib/engine/inference/load-model";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitInThread } from "#lib/engine/training/fit-in-thread";
import type { FitInput } from "#lib/engine/training/fit-input";

/** Fractions of the rows to train on before the next window is predicted. */
const WINDOWS = [0.1, 0.2, 0.4, 0.6, 0.8];

/** Minimum number of rows to train on: with fewer, a downstream model should not trust the predictions. */
const TRAINING_ROWS_MIN = 30;

/** One value per row; NaN for the first rows, which have too little data before them. */
type OutOfFold = {
  /** Predictions from the rows' inputs. */
  given: Float64Array;
  /** Predictions from inputs that were generated before each horizon, as for the future. */
  generated: Float64Array;
};

/**
 * Predicts a model's training rows out of fold. Each window trains on all earlier rows and predicts the rows up to the
 * next window's end. Predictions of seen rows would hide the errors that a downstream model meets later.
 *
 * @param input rows in time order, as for `fitModel`
 */
export async function outOfFoldPredictions(
  input: Omit<FitInput, "request">,
  request: TrainModel,
  options: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
): Promise<OutOfFold> {
  const { table, target } = input;
  const given = new Float64Array(table.rowCount).fill(Number.NaN);
  const generated = given.slice();
  const ends = WINDOWS.map((part) => Math.floor(part * table.rowCount));
  for (const [fold, end] of ends.entries()) {
    options.onProgress?.(fold / ends.length);
    const next = ends[fold + 1] ?? table.rowCount;
    if (end < TRAINING_ROWS_MIN || next <= end) continue;
    const part = await predictNext({ ...input, request }, end, next, options.signal);
    if (part === null) continue;
    given.set(part.given, end);
    generated.set(part.generated, end);
  }
  options.onProgress?.(1);
  return { given, generated };

  async function predictNext(fit: FitInput, end: number, next: number, signal?: AbortSignal) {
    try {
      const { files } = await fitInThread(
        { ...fit, table: sliceRows(table, 0, end), upstream: cutUpstream(fit.upstream, 0, end) },
        { signal },
      );
      const model = await loadModel(async (name) => files.get(name)!);
      const upstream = cutUpstream(fit.upstream, end, next);
      const history = withUpstream(table, fit.upstream);
      const predict = async (rows: Table) => {
        const check = model.checkInput(dropColumns(rows, [target]));
        if (check.issueCount > 0) return null;
        const useHistory = model.state.timestamp !== null;
        return (await model.predict(check.table, useHistory ? { history } : {})).predictions;
      };
      const given = await predict(withUpstream(sliceRows(table, end, next), upstream));
      if (given === null) return null;
      const rows = generatorOf(table, model)?.({ from: end, to: next });
      if (!rows && upstream.every((one) => one.generated === undefined)) return { given, generated: given };
      const inputs = withUpstream(rows ?? sliceRows(table, end, next), upstream.map(asGenerated));
      return { given, generated: (await predict(inputs)) ?? given };
    } catch (cause) {
      // A window in which nothing varies has no model; the next window may have one.
      if (cause instanceof TrainingImpossible) return null;
      throw cause;
    }
  }
}

type Upstream = NonNullable<FitInput["upstream"]>;

/** Returns the generator of the model's inputs; null if the rows are no series. */
function generatorOf(
  table: Table,
  { state: { timestamp, timezone, grid, horizon }, inputFeatures }: Awaited<ReturnType<typeof loadModel>>,
): PastInputs | null {
  if (timestamp === null || grid === null || horizon === null) return null;
  const inputs = inputFeatures
    .filter(({ role, dateRule }) => role === "input" && dateRule === undefined)
    .map(({ name }) => name);
  return pastInputs(table, { timestamp, timezone, grid, horizon, inputs });
}

function cutUpstream(upstream: FitInput["upstream"], from: number, to: number): Upstream {
  return (upstream ?? []).map(({ column, generated, sourceProjectId }) => {
    const columns = [column, ...(generated ? [generated] : [])];
    const [part, generatedPart] = sliceRows({ rowCount: to, columns }, from, to).columns;
    return { column: part!, generated: generatedPart, sourceProjectId };
  });
}

const asGenerated = (one: Upstream[number]) => ({ ...one, column: one.generated ?? one.column });

function withUpstream(table: Table, upstream: FitInput["upstream"]): Table {
  return { ...table, columns: [...table.columns, ...(upstream ?? []).map(({ column }) => column)] };
}
