import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { RequestWork, runAs } from "#lib/platform/concurrency/current-work";
import { connectMainThread } from "./main-thread-calls.ts";
import { asData, asError, type FromThread, type Tasks, type ToThread } from "./messages.ts";

// A thread of `ThreadPool`: runs tasks of the module that `workerData` names.

/** `calls`: port for calls of functions of the main thread. */
export type ThreadData = { module: string; calls: MessagePort };

const { module, calls } = workerData as ThreadData;
connectMainThread(calls);
const { tasks } = (await import(module)) as { tasks: Tasks };

parentPort!.on("message", async (message: ToThread) => {
  if (message.kind !== "run") return;
  let last: FromThread;
  try {
    const { task, input, isJob } = message;
    // The parent ends the thread of a job that is stopped.
    const work = isJob ? { isJob, projectId: null, signal: undefined } : new RequestWork(null);
    const output = await runAs(work, () => tasks[task]!(input, async () => readFromParent()));
    last = { kind: "done", output };
  } catch (cause) {
    last = { kind: "failed", error: asData(cause) };
  }
  parentPort!.postMessage(last);
});

/** Asks the parent for one chunk at a time; the parent reads the next one while this one is processed. */
async function* readFromParent(): AsyncGenerator<Uint8Array> {
  let next = ask("open");
  try {
    for (let message = await next; message.kind !== "end"; message = await next) {
      if (message.kind === "unreadable") throw asError(message.error);
      if (message.kind !== "chunk") throw new Error(`Unexpected message ${message.kind}.`);
      next = ask("next");
      yield message.bytes;
      // Frees the memory at once; the garbage collector would run often for these chunks alone.
      (message.bytes.buffer as ArrayBuffer).transfer(0);
    }
  } finally {
    await next; // An unread answer would be taken for the answer to the next question.
  }
}

function ask(kind: "open" | "next"): Promise<ToThread> {
  const { promise, resolve } = Promise.withResolvers<ToThread>();
  parentPort!.once("message", resolve);
  parentPort!.postMessage({ kind } satisfies FromThread);
  return promise;
}
