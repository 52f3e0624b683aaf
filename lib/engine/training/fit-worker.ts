import { parentPort } from "node:worker_threads";
import type { FitInput } from "./fit-input.ts";
import { fitModel } from "./fit-model.ts";
import type { FittedModel } from "./model-summary.ts";
import type { PartRequest } from "./panel-parts.ts";
import type { FitStage } from "./train-finalists.ts";

/** `hasParts`: whether the calling thread has parts fitted elsewhere. */
export type FitOrder = { input: FitInput; stopFlag: Int32Array; hasParts: boolean };

/** Answer to the request for a part; `failed`: the training is about to be stopped. */
export type PartAnswer =
  | { kind: "part"; found: Uint8Array | null }
  | { kind: "part-failed"; message: string };

export type FitMessage =
  | { kind: "part"; request: PartRequest }
  | { kind: "progress"; fraction: number; stage: FitStage; message: string }
  | { kind: "fitted"; fitted: FittedModel }
  | { kind: "failed"; name: string; message: string; stack: string | undefined };

const PROGRESS_INTERVAL_MS = 100;

let answered = Promise.withResolvers<Uint8Array | null>();

/** Asks the calling thread for a part. A training asks for one at a time. */
function askForPart(request: PartRequest): Promise<Uint8Array | null> {
  answered = Promise.withResolvers();
  parentPort!.postMessage({ kind: "part", request } satisfies FitMessage);
  return answered.promise;
}

/** Runs the worker side of `fitInThread`: one training after the other. */
async function train({ input, stopFlag, hasParts }: FitOrder): Promise<void> {
  const send = (message: FitMessage) => parentPort!.postMessage(message);
  let sentAt = 0;
  let sentStage = "";
  try {
    const fitted = await fitModel(input, {
      shouldStop: () => Atomics.load(stopFlag, 0) === 1,
      fitParts: hasParts ? askForPart : undefined,
      onProgress: (fraction, stage, message) => {
        const now = performance.now();
        if (now - sentAt < PROGRESS_INTERVAL_MS && stage === sentStage && fraction < 1) return;
        [sentAt, sentStage] = [now, stage];
        send({ kind: "progress", fraction, stage, message });
      },
    });
    send({ kind: "fitted", fitted });
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    send({ kind: "failed", name: error.name, message: error.message, stack: error.stack });
  }
}

parentPort!.on("message", (message: FitOrder | PartAnswer) => {
  if (!("kind" in message)) void train(message);
  else if (message.kind === "part") answered.resolve(message.found);
  else answered.reject(new Error(message.message));
});
