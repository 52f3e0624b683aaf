import { parentPort, workerData } from "node:worker_threads";
import type { FromThread, TaskStart, Tasks, ToThread } from "#lib/threads/task";
import { asData, asError } from "./messages.ts";

/** The thread's side of `taskRunner`: does the one task that the thread was started for. */
export async function serveTask(tasks: Tasks): Promise<void> {
  const { task, input } = workerData as TaskStart;
  let last: FromThread;
  try {
    last = { kind: "done", output: await tasks[task]!(input, async () => readFromParent()) };
  } catch (cause) {
    last = { kind: "failed", error: asData(cause) };
  }
  parentPort!.postMessage(last);
}

/** The parent sends one chunk each time that it is asked, and reads the next one while this one is worked on. */
async function* readFromParent(): AsyncGenerator<Uint8Array> {
  let next = ask("open");
  try {
    for (let message = await next; message.kind !== "end"; message = await next) {
      if (message.kind === "unreadable") throw asError(message.error);
      next = ask("next");
      yield message.bytes;
      // Freed at once: left to the collector they gather, and have it run again and again for nothing else.
      (message.bytes.buffer as ArrayBuffer).transfer(0);
    }
  } finally {
    await next; // An answer that nobody has taken would be one to the next question.
  }
}

function ask(kind: "open" | "next"): Promise<ToThread> {
  const { promise, resolve } = Promise.withResolvers<ToThread>();
  parentPort!.once("message", resolve);
  parentPort!.postMessage({ kind } satisfies FromThread);
  return promise;
}
