import { availableParallelism } from "node:os";
import { databaseConnection } from "#db/client";
import type { Context } from "#lib/context/context";
import type { PredictRequest } from "#lib/contract/predictions";
import { DomainError } from "#lib/platform/errors/domain-error";
import { metrics } from "#lib/platform/metrics/metrics";
import { ThreadPool } from "#lib/threads/thread-pool";

/** `databaseUrl`: where `database()` of the process that asks is. */
export type LongPrediction = {
  databaseUrl: string;
  caller: Pick<Context, "actor" | "requestId">;
  projectId: string;
  json: Uint8Array;
};

/** `inferenceSeconds`: for the figures of the process that asks. */
export type LongPredicted = { text: string; inferenceSeconds: number };

/** Reading and predicting hold up other requests for some 6 ms from here on, by measurement (docs/decisions/0099). */
const BYTES_HERE = 1 << 19;
const ROWS_HERE = 2_000;
/** Of rows whose contributions are asked for. */
const EXPLAINED_HERE = 50;
const THREADS_MAX = 4;

const shared = globalThis as typeof globalThis & {
  predictingThreads?: ThreadPool<LongPrediction, LongPredicted>;
};

/** One processor is left to the thread that answers all others. */
const threads = () =>
  (shared.predictingThreads ??= new ThreadPool({
    entry: "../http/request/predict-thread.ts",
    beside: import.meta.url,
    threads: Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1)),
    heapMb: 1_024,
  }));

/** Predictions of many rows, read, predicted and written in a thread: the same answers and refusals (`predict`). */
export const predictInThread = {
  bytes: BYTES_HERE,
  isLong({ input, include = [] }: PredictRequest): boolean {
    const most = include.includes("contributions") ? EXPLAINED_HERE : ROWS_HERE;
    return Object.values(input).some(({ length }) => length > most);
  },
  async run(
    { actor, requestId, signal }: Context,
    { params: { projectId }, json }: { params: { projectId: string }; json: Uint8Array },
  ): Promise<string> {
    const { url: databaseUrl } = databaseConnection();
    const question = { databaseUrl, caller: { actor, requestId }, projectId, json };
    const { text, inferenceSeconds } = await threads().ask(question, signal).catch(refused);
    metrics().inferenceSeconds.observe(inferenceSeconds);
    return text;
  },
};

/** Millions of values that are none make as many faults: before all are counted, the thread has no memory left. */
function refused(cause: unknown): never {
  if ((cause as NodeJS.ErrnoException).code !== "ERR_WORKER_OUT_OF_MEMORY") throw cause;
  const message =
    "The body takes more memory to read than one is given: look at the types of its values, or send fewer.";
  throw new DomainError("validation_failed", message, { cause });
}
