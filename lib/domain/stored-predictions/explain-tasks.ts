import type { Table } from "#lib/contract/table";
import { rethrowRejection } from "#lib/domain/models/model-rejection";
import { openModel } from "#lib/domain/models/open-model";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { PredictOptions, PredictResult } from "#lib/engine/inference/predict-table";
import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";

type ToExplain = Pick<PredictOptions, "history" | "include"> & {
  /** Folder of the model. */
  artifactKey: string;
  sha256?: string;
};

/** Predictions with contributions. They run models, so plain reads must not import this module. */
export const tasks = { explainStored, explainTable } satisfies Tasks;

/** The threads stay, because opening a model takes longer than explaining a row. */
const run = taskRunner(tasks, { module: "./explain-tasks.ts", beside: import.meta.url, idleMs: 60_000 });

/**
 * Runs a task in a thread, also for a single row. The work depends on the model: 100 rows of 500 trees with 255 leaves each take
 * seconds. In the thread of the requests, all other requests would wait for them.
 */
export const runExplainTask = <N extends keyof typeof tasks>(
  task: N,
  input: Parameters<(typeof tasks)[N]>[0],
  signal?: AbortSignal,
) => run(task, input, { bytes: Number.POSITIVE_INFINITY, signal });

async function explainTable({ table, ...model }: ToExplain & { table: Table }): Promise<PredictResult> {
  const { artifactKey, sha256, history, include } = model;
  const opened = await openModel(artifactKey, sha256);
  // Here, because the class of the error does not leave the thread.
  return opened.predict(table, { history, include }).catch(rethrowRejection("input"));
}

/**
 * Explains rows of a stored input.
 *
 * @param rows rows to explain, from 0
 * @param readsEarlierRows whether the rows before them must be predicted as well, because later rows build on them
 * @returns the predictions of these rows; contributions undefined if the model provides none
 */
async function explainStored({
  inputKey,
  rows,
  readsEarlierRows,
  ...model
}: Omit<ToExplain, "include"> & { inputKey: string; rows: number[]; readsEarlierRows: boolean }): Promise<
  Pick<PredictResult, "predictions" | "contributions">
> {
  const stored = await StoredInput.open(inputKey);
  const last = rows.reduce((most, row) => Math.max(most, row), 0);
  const table = await (readsEarlierRows ? stored.readAll(last + 1) : stored.take(rows));
  const places = rows.map((row, at) => (readsEarlierRows ? row : at));
  const include = { contributions: true, contributionRows: places };
  const { contributions, predictions } = await explainTable({ ...model, table, include });
  return {
    predictions: Float64Array.from(places, (place) => predictions[place]!),
    ...(contributions && { contributions }),
  };
}
