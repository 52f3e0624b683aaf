import { parentPort } from "node:worker_threads";
import { type Predict, predictorOf } from "#lib/ml/model/plain-model";
import { asData } from "#lib/platform/threads/messages";
import { bufferOf } from "./buffer-of.ts";
import type { RowsAnswer, RowsQuestion, RowsThreadModel } from "./rows-predictor.ts";

// One of the threads of `predictInThreads`.
const told = Promise.withResolvers<RowsThreadModel>();
const predicting = told.promise.then(async ({ artifactKey, history, plain }): Promise<Predict> => {
  // Only a model that needs the runtime loads what opens one: a thread begins in a third of the time without.
  const predict =
    (plain && predictorOf(plain)) ?? (await (await import("./open-model.ts")).openModel(artifactKey)).predict;
  return (table) => predict(table, { history, include: { intervals: true } });
});
predicting.catch(() => {}); // Each question is answered with it.

parentPort!.once("message", (model: RowsThreadModel) => {
  told.resolve(model);
  parentPort!.on("message", answer);
});

async function answer({ table }: RowsQuestion): Promise<void> {
  try {
    const predicted = await (await predicting)(table);
    // Freed at once: the collector would let blocks gather.
    for (const column of table.columns) bufferOf(column).transfer(0);
    const { predictions, intervals } = predicted;
    const arrays = [predictions, ...(intervals ? [intervals.lower, intervals.upper] : [])];
    parentPort!.postMessage(
      { predicted } satisfies RowsAnswer,
      arrays.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (cause) {
    parentPort!.postMessage({ error: asData(cause) } satisfies RowsAnswer);
  }
}
