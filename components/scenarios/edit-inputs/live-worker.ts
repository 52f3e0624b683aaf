import type { Adjustment } from "#lib/contract/scenarios";
import {
  type LiveModel,
  type LiveOptions,
  type LivePreview,
  openLiveModel,
  type PredictLive,
} from "#lib/engine/what-if/live-model";
import { unpack } from "#lib/engine/what-if/pack";

export type LiveRequest = { adjustments: readonly Adjustment[]; options: LiveOptions };
/** Message to the worker: first the packed model in base64, then requests, each after the answer to the former one. */
export type ToLiveWorker = { model: string } | LiveRequest;
/** Answer to the model: whether the worker can predict. Answer to a request: null if the service must predict. */
export type FromLiveWorker = { isReady: boolean } | { preview: LivePreview | null };

let predict: PredictLive | null = null;

/** Duration of a warm-up, in which the browser compiles the code. Without it, the first answer takes three times as long. */
const WARM_UP_MS = 200;

self.onmessage = async ({ data }: MessageEvent<ToLiveWorker>) => {
  if ("model" in data) {
    predict = await open(data.model).catch(() => null);
    self.postMessage({ isReady: predict !== null } satisfies FromLiveWorker);
    return;
  }
  const preview = predict === null ? null : await predict(data.adjustments, data.options).catch(() => null);
  self.postMessage({ preview } satisfies FromLiveWorker);
};

async function open(model: string): Promise<PredictLive | null> {
  const { buffer } = Uint8Array.from(atob(model), (byte) => byte.charCodeAt(0));
  const predict = await openLiveModel(unpack<LiveModel>(buffer));
  const end = performance.now() + WARM_UP_MS;
  while (predict && performance.now() < end) await predict([], { maxPoints: 1_000, levels: [0.5, 0.8] });
  return predict;
}
