import { randomUUID } from "node:crypto";
import { counted } from "#lib/contract/counted";
import type { ModelRunner, ModelUse, ModelWork, ResultOf } from "#lib/engine/inference/model-runner";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";
import { currentWork, REQUEST_MS } from "#lib/platform/concurrency/current-work";
import { environment } from "#lib/platform/config/environment";
import { perProcess } from "#lib/platform/process/per-process";
import { store } from "#lib/platform/storage/store";
import { mainThread, offerToThreads } from "#lib/platform/threads/main-thread-calls";
import { ModelProcesses } from "./model-processes.ts";

/** Returns the model processes of this service process. */
export const modelProcesses = perProcess("modelProcesses", () => {
  const budgetMb = environment().modelMemoryMb;
  const processMb = Math.floor(budgetMb / 2);
  return new ModelProcesses({ budgetMb, processMb, timeoutMs: 30_000, waitMs: 30_000, idleMs: 60_000 });
});

/** A call for a stored model, as plain data. */
type StoredModelCall = {
  artifactKey: string;
  digest: string;
  size: number;
  use: ModelUse;
  work: ModelWork;
  /** Whether the caller is a job, which waits as long as its own time limit allows. */
  isPatient: boolean;
};

const NAME = "runStoredModel";

/**
 * Returns the runner of a model in the artifact store. Threads use the processes of their main thread. The end of the
 * current job or of the time of the current request ends the call.
 */
export function storedModelRunner(artifactKey: string, digest: string): ModelRunner {
  return async <W extends ModelWork>({ size, use }: { size: number; use: ModelUse }, work: W) => {
    const { isJob = false, signal } = currentWork() ?? {};
    const call: StoredModelCall = { artifactKey, digest, size, use, work, isPatient: isJob };
    const main = mainThread();
    const result = main ? main.call(NAME, call, signal) : runStored(call, signal);
    return (await result.catch(throwTooLong)) as ResultOf<W>;
  };
}

/** @throws {ModelInvalid} at the end of a request's time */
function throwTooLong(cause: unknown): never {
  if (!(cause instanceof DOMException) || cause.name !== "TimeoutError") throw cause;
  const message = `The model did not finish the request within ${counted(REQUEST_MS / 1_000, "second")}. Send fewer rows, or create a scenario.`;
  throw new ModelInvalid(message, { cause });
}

offerToThreads(NAME, (call, signal) => runStored(call as StoredModelCall, signal));

/** Runs a call in the process of the project that owns the model. */
function runStored(
  { artifactKey, digest, size, use, work, isPatient }: StoredModelCall,
  signal: AbortSignal | undefined,
) {
  const [, projectId] = artifactKey.split("/");
  const read = () => store().readFile(artifactKey, "model.onnx");
  const model = { key: `${artifactKey} ${digest}`, use, size, read };
  return modelProcesses().run(projectId!, model, work, { signal, isPatient });
}

/** Returns the runner of a file that is being imported into the project. */
export function importedFileRunner(projectId: string, bytes: Uint8Array): ModelRunner {
  const key = randomUUID();
  return async <W extends ModelWork>({ size, use }: { size: number; use: ModelUse }, work: W) => {
    const model = { key, use, size, read: async () => bytes };
    const { signal } = currentWork() ?? {};
    const result = modelProcesses().run(projectId, model, work, { signal, isPatient: true });
    return (await result.catch(throwTooLong)) as ResultOf<W>;
  };
}
