import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Column, Table } from "#lib/contract/table";
import type { PlainModel } from "#lib/engine/inference/plain-model";
import type { PredictResult } from "#lib/engine/inference/predict-table";
import { bufferOf } from "#lib/engine/table/columns";
import { perProcess } from "#lib/platform/process/per-process";
import { asError, type Thrown } from "#lib/platform/threads/messages";
import type { OpenModel } from "./open-model.ts";

/** Predicts parts of a long input, with intervals, several at a time. */
export type RowsPredictor = AsyncDisposable & {
  /** Maximum number of parts in progress; more parts wait. */
  atOnce: number;
  /** @param isSpent whether the caller no longer reads the part, so its memory can move to a thread */
  predict(part: Table, isSpent: boolean): Promise<PredictResult>;
};

/** First message to a thread; the parts follow. `plain`: null if the thread must open the model. */
export type RowsThreadModel = {
  artifactKey: string;
  history: Table | undefined;
  generated: readonly string[];
  plain: PlainModel | null;
};
export type RowsQuestion = { table: Table };
export type RowsAnswer = { predicted: PredictResult } | { error: Thrown };

/**
 * Minimum rows for threads: starting them takes as long as predicting about this many rows with a few hundred trees.
 */
const ROWS_MIN = 50_000;
const THREADS_MAX = 4;

const threadsOfProcess = perProcess("rowsPredictorThreads", () => ({ isBusy: false }));

type ModelOfFolder = {
  model: OpenModel;
  artifactKey: string;
  history: Table | undefined;
  /** Names of the columns that were generated. */
  generated?: readonly string[] | undefined;
};

/**
 * Returns a predictor for `rowCount` rows. Uses one thread per processor, at most four, or this thread for few rows. The
 * numbers are the same in both cases. Only one predictor per process has threads, to bound memory; others run on this
 * thread.
 */
export function rowsPredictor(source: ModelOfFolder, rowCount: number): RowsPredictor {
  const threads = Math.min(THREADS_MAX, availableParallelism());
  const { imported, version } = source.model.state;
  // Other models run in a separate process.
  const isOwn = imported === null && (version !== 1 || source.model.plain() !== null);
  if (rowCount < ROWS_MIN || threads === 1 || !isOwn || threadsOfProcess().isBusy) return predictHere(source);
  threadsOfProcess().isBusy = true;
  return predictInThreads(source, threads);
}

function predictHere({ model, history, generated }: ModelOfFolder): RowsPredictor {
  return {
    atOnce: 1,
    predict: (part) => model.predict(part, { history, generated, include: { intervals: true } }),
    [Symbol.asyncDispose]: async () => {},
  };
}

function predictInThreads(
  { model, artifactKey, history, generated = [] }: ModelOfFolder,
  count: number,
): RowsPredictor {
  const threads = Array.from({ length: count }, () => new PredictingThread());
  const plain = model.plain(); // Runs while the threads start: both take about as long.
  for (const thread of threads) thread.begin({ artifactKey, history, generated, plain });
  return {
    // One more part per thread, so no thread waits for its next part.
    atOnce: 2 * count,
    predict: (part, isSpent) =>
      threads.reduce((a, b) => (b.waiting < a.waiting ? b : a)).predict(part, isSpent),
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread.end()));
      threadsOfProcess().isBusy = false;
    },
  };
}

/** Answers requests one after the other, in order. */
class PredictingThread {
  readonly #worker: Worker;
  readonly #asked: PromiseWithResolvers<PredictResult>[] = [];
  #gone: Error | null = null;

  constructor() {
    this.#worker = new Worker(new URL("./predict-rows-thread.ts", import.meta.url));
    this.#worker
      .on("message", (answer: RowsAnswer) => {
        const { resolve, reject } = this.#asked.shift()!;
        if ("error" in answer) reject(asError(answer.error));
        else resolve(answer.predicted);
      })
      .on("error", (error) => this.#fail(error))
      .on("exit", (code) => this.#fail(new Error(`A predicting thread ended with code ${code}.`)));
  }

  get waiting(): number {
    return this.#asked.length;
  }

  begin(model: RowsThreadModel): void {
    this.#worker.postMessage(model);
  }

  predict(part: Table, isSpent: boolean): Promise<PredictResult> {
    const asked = Promise.withResolvers<PredictResult>();
    if (this.#gone) asked.reject(this.#gone);
    else {
      this.#asked.push(asked);
      // Copied, because transferring a view would move the whole column.
      const table = isSpent ? part : { ...part, columns: part.columns.map(copied) };
      this.#worker.postMessage({ table } satisfies RowsQuestion, table.columns.map(bufferOf));
    }
    return asked.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#gone ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#gone);
  }
}

function copied(column: Column): Column {
  return column.type === "category"
    ? { ...column, codes: column.codes.slice() }
    : { ...column, values: column.values.slice() };
}
