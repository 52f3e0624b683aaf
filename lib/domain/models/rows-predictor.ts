import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Column, Table } from "#lib/contract/table";
import type { PredictResult } from "#lib/engine/inference/predict-table";
import type { PlainModel } from "#lib/ml/model/plain-model";
import { asError } from "#lib/platform/threads/messages";
import type { Thrown } from "#lib/threads/task";
import { bufferOf } from "./buffer-of.ts";
import type { OpenModel } from "./open-model.ts";

/** Predicts parts of a long input, with intervals, several at a time. */
export type RowsPredictor = AsyncDisposable & {
  /** More parts than this wait for each other. */
  atOnce: number;
  /** @param isSpent whether nobody reads the part afterwards, so that its memory may go to a thread */
  predict(part: Table, isSpent: boolean): Promise<PredictResult>;
};

/** What a thread is told first, then the parts one by one. `plain`: null where it has to open the model itself. */
export type RowsThreadModel = { artifactKey: string; history: Table | undefined; plain: PlainModel | null };
export type RowsQuestion = { table: Table };
export type RowsAnswer = { predicted: PredictResult } | { error: Thrown };

/** Starting threads takes as long as it takes to predict about so many rows with a model of some hundred trees. */
const ROWS_MIN = 50_000;
const THREADS_MAX = 4;

const shared = globalThis as typeof globalThis & { rowsInThreads?: boolean };

type ModelOfFolder = { model: OpenModel; artifactKey: string; history: Table | undefined };

/**
 * A predictor for that many rows: in threads, one for each processor, or here. Each row's numbers are the same in both. Only
 * one at a time has threads in a process, so that several do not take more memory than one; the others go on here.
 */
export function rowsPredictor(source: ModelOfFolder, rowCount: number): RowsPredictor {
  const threads = Math.min(THREADS_MAX, availableParallelism());
  const isOwn = source.model.state.imported === null; // Models from outside run in a process of their own.
  if (rowCount < ROWS_MIN || threads === 1 || !isOwn || shared.rowsInThreads === true)
    return predictHere(source);
  shared.rowsInThreads = true;
  return predictInThreads(source, threads);
}

function predictHere({ model, history }: ModelOfFolder): RowsPredictor {
  return {
    atOnce: 1,
    predict: (part) => model.predict(part, { history, include: { intervals: true } }),
    [Symbol.asyncDispose]: async () => {},
  };
}

function predictInThreads({ model, artifactKey, history }: ModelOfFolder, count: number): RowsPredictor {
  const threads = Array.from({ length: count }, () => new PredictingThread());
  const plain = model.plain(); // Reading the trees takes as long as the threads take to begin.
  for (const thread of threads) thread.begin({ artifactKey, history, plain });
  return {
    // One more for each, so that none waits for the next part.
    atOnce: 2 * count,
    predict: (part, isSpent) =>
      threads.reduce((a, b) => (b.waiting < a.waiting ? b : a)).predict(part, isSpent),
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread.end()));
      shared.rowsInThreads = false;
    },
  };
}

/** Answers one question after the other, in their order. */
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
      // A view would take the whole column along: it is copied.
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
