import { parentPort } from "node:worker_threads";
import { type Predict, predictorOf } from "#lib/engine/inference/plain-model";
import { bufferOf } from "#lib/engine/table/columns";
import { asData } from "#lib/platform/threads/messages";
import type { RowsAnswer, RowsQuestion, RowsThreadModel } from "./rows-predictor.ts";

// One of the threads of `predictInThreads`.
const firstMessage = Promise.withResolvers<RowsThreadModel>();
const predicting = firstMessage.promise.then(async (begin): Promise<Predict> => {
  const { artifactKey, history, generated, plain } = begin;
  // Loads the model loader only if needed: without it, a thread starts in a third of the time.
  const predict =
    (plain && predictorOf(plain)) ?? (await (await import("./open-model.ts")).openModel(artifactKey)).predict;
  return (table) => predict(table, { history, generated, include: { intervals: true } });
});
predicting.catch(() => {}); // Each request reports the failure.

parentPort!.once("message", (model: RowsThreadModel) => {
  firstMessage.resolve(model);
  parentPort!.on("message", answer);
});

async function answer({ table }: RowsQuestion): Promise<void> {
  try {
    const predicted = await (await predicting)(table);
    // Freed immediately, because the garbage collector would let blocks accumulate.
    for (const column of table.columns) bufferOf(column).transfer(0);
    const { predictions, intervals } = predicted;
    const arrays = [predictions, ...(intervals ? [intervals.lower, intervals.upper] : [])];
    parentPort!.postMessage(
      { predicted } satisfies RowsAnswer,
      arrays.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (cause) {
    // Loads packages, which few threads need.
    const { inputRejection } = await import("./model-rejection.ts");
    parentPort!.postMessage({ error: asData(inputRejection(cause)) } satisfies RowsAnswer);
  }
}
