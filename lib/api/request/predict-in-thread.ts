import { availableParallelism } from "node:os";
import { Slots } from "#lib/platform/concurrency/slots";
import type { Context } from "#lib/platform/context/context";
import { databaseConnection } from "#lib/platform/database/process-database";
import { DomainError } from "#lib/platform/errors/domain-error";
import { metrics } from "#lib/platform/metrics/metrics";
import { perProcess } from "#lib/platform/process/per-process";
import { ThreadPool } from "#lib/platform/threads/thread-pool";

/** `databaseUrl`: database of the calling process. */
export type LongPrediction = {
  databaseUrl: string;
  caller: Pick<Context, "actor" | "requestId">;
  projectId: string;
  json: Uint8Array;
};

/** `inferenceSeconds`: for the metrics of the calling process. */
export type LongPredicted = { text: string; inferenceSeconds: number };

/**
 * Above these sizes, parsing and predicting block other requests for more than about 6 ms (docs/decisions/0175).
 */
const MAIN_THREAD_BYTES = 1 << 19;
const MAIN_THREAD_ROWS = 2_000;
const MAIN_THREAD_FEATURES = 2_000;
/** Rows with contributions. */
const MAIN_THREAD_EXPLAINED_ROWS = 50;
const THREADS_MAX = 4;

/**
 * Leaves one processor to the main thread, which serves all other requests. Two threads at least, because one project
 * does not get all: a slow imported model must not hold up the predictions of others.
 */
const threads = perProcess("predictingThreads", () => {
  const atOnce = Math.min(THREADS_MAX, Math.max(2, availableParallelism() - 1));
  const slots = new Slots({ atOnce, waiting: 100, waitMs: 30_000 });
  const module = "./predict-tasks.ts";
  return new ThreadPool({ module, beside: import.meta.url, slots, heapMb: 1_024, idleMs: 600_000 });
});

/** Parses, predicts and serializes large requests in a thread. Returns the same responses and errors as `predict`. */
export const predictInThread = {
  bytes: MAIN_THREAD_BYTES,
  isLong(body: unknown): boolean {
    const { input, include, levels } = fieldsOf(body);
    const columns = Object.values(fieldsOf(input));
    const isExplained = Array.isArray(include) && include.includes("contributions");
    const most = isExplained ? MAIN_THREAD_EXPLAINED_ROWS : MAIN_THREAD_ROWS;
    const hasMore = (value: unknown) => Array.isArray(value) && value.length > most;
    return columns.length > MAIN_THREAD_FEATURES || [include, levels, ...columns].some(hasMore);
  },
  async run(
    { actor, requestId, signal }: Context,
    { params: { projectId }, json }: { params: { projectId: string }; json: Uint8Array },
  ): Promise<string> {
    const { url: databaseUrl } = databaseConnection();
    const input: LongPrediction = { databaseUrl, caller: { actor, requestId }, projectId, json };
    const output = await threads().run({ task: "predict", input, signal }).catch(throwTooLarge);
    const { text, inferenceSeconds } = output as LongPredicted;
    metrics().inferenceSeconds.observe(inferenceSeconds);
    return text;
  },
};

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Millions of invalid values produce as many issues, and the thread runs out of memory before it has counted them all.
 */
function throwTooLarge(cause: unknown): never {
  if ((cause as NodeJS.ErrnoException).code !== "ERR_WORKER_OUT_OF_MEMORY") throw cause;
  const message =
    "Parsing the body needs too much memory. Check the types of its values, or send fewer values.";
  throw new DomainError("validation_failed", message, { cause });
}
