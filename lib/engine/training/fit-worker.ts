import { parentPort } from "node:worker_threads";
import type { FitInput } from "./fit-input.ts";
import { fitModel } from "./fit-model.ts";
import type { FittedModel } from "./model-summary.ts";
import type { FitStage } from "./train-finalists.ts";

export type FitOrder = { input: FitInput; stopFlag: Int32Array };

export type FitMessage =
  | { kind: "progress"; fraction: number; stage: FitStage; message: string }
  | { kind: "fitted"; fitted: FittedModel }
  | { kind: "failed"; name: string; message: string; stack: string | undefined };

const PROGRESS_INTERVAL_MS = 100;

/** Runs the worker side of `fitInThread`: one training after the other. */
async function fit({ input, stopFlag }: FitOrder): Promise<void> {
  const send = (message: FitMessage) => parentPort!.postMessage(message);
  let sentAt = 0;
  let sentStage = "";
  try {
    const fitted = await fitModel(input, {
      shouldStop: () => Atomics.load(stopFlag, 0) === 1,
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

parentPort!.on("message", fit);
