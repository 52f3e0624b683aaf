import { parentPort, workerData } from "node:worker_threads";
import { asData } from "#lib/threads/thrown";
import { openModel } from "./open-model.ts";
import type { RowsAnswer, RowsQuestion, RowsThreadData } from "./rows-predictor.ts";

// One of the threads of `predictInThreads`.
const { artifactKey, history } = workerData as RowsThreadData;
const model = openModel(artifactKey);
model.catch(() => {}); // Each question is answered with it.

parentPort!.on("message", async ({ table }: RowsQuestion) => {
  let answer: RowsAnswer;
  try {
    const { predictions, intervals, warnings } = await (await model).predict(table, {
      history,
      include: { intervals: true },
    });
    answer = { predicted: { predictions, warnings, ...(intervals && { intervals }) } };
  } catch (cause) {
    answer = { error: asData(cause) };
  }
  parentPort!.postMessage(answer);
});
