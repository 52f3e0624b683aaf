import { parentPort } from "node:worker_threads";
import { asData } from "#lib/platform/threads/messages";
import type { PoolAnswer } from "./thread-pool.ts";

/** The thread's side of `ThreadPool`, which asks one thing at a time. */
export function answerQuestions<Q>(answer: (question: Q) => Promise<unknown>): void {
  parentPort!.on("message", async (question: Q) => {
    let last: PoolAnswer;
    try {
      last = { output: await answer(question) };
    } catch (cause) {
      last = { error: asData(cause) };
    }
    parentPort!.postMessage(last);
  });
}
