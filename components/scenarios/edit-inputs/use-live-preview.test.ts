import { expect, test, vi } from "vitest";
import { LiveWorker } from "./use-live-preview.ts";

const workers: FakeWorker[] = [];
class FakeWorker {
  onmessage?: (message: { data: unknown }) => void;
  onerror?: () => void;
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();
  constructor() {
    workers.push(this);
  }
}

test("removes the preview after an error of the worker, and sends it nothing more", () => {
  vi.stubGlobal("Worker", FakeWorker);
  const onPreview = vi.fn();
  const live = new LiveWorker("model", onPreview);
  vi.unstubAllGlobals();
  const [worker] = workers as [FakeWorker];
  worker.onmessage?.({ data: { isReady: true } });
  live.request({ adjustments: [], options: { levels: [] } });
  worker.onmessage?.({ data: { preview: { rows: [1] } } });
  expect(onPreview).toHaveBeenLastCalledWith({ rows: [1] });
  const sent = worker.postMessage.mock.calls.length;
  worker.onerror?.();
  live.request({ adjustments: [], options: { levels: [] } });
  expect(onPreview).toHaveBeenLastCalledWith(null);
  expect(worker.terminate).toHaveBeenCalled();
  expect(worker.postMessage).toHaveBeenCalledTimes(sent);
});
