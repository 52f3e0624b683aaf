import { afterEach, expect, test, vi } from "vitest";
import type { ModelRunner } from "#lib/engine/inference/model-runner";
import { RequestWork, runAs, type Work } from "#lib/platform/concurrency/current-work";
import { store } from "#lib/platform/storage/store";
import { layeredModel } from "#testing/onnx-models";
import { importedFileRunner, modelProcesses, storedModelRunner } from "./stored-model-runner.ts";

const projectId = "01a223e8-ccd9-7cab-a1b8-c245031ddfd3";
const width = 64;
const slow = layeredModel(4_000, width, "N");
const bindings = Array.from({ length: width }, (_, index) => ({ feature: `x${index}`, input: "X", index }));
const columns = bindings.map(({ feature }) => ({
  name: feature,
  type: "number" as const,
  values: new Float64Array(8_192),
}));

vi.setConfig({ testTimeout: 120_000 });
afterEach(() => vi.restoreAllMocks());

const predict = (runner: ModelRunner) =>
  runner(
    { use: { bindings, choice: {} }, size: slow.length },
    { kind: "predict", rowsBefore: 0, table: { rowCount: 8_192, columns } },
  );

/** Starts a call, ends its work once its process exists, and expects that the process ends too. */
async function endedBy(work: Work, end: () => void, runner = importedFileRunner(projectId, slow)) {
  const call = runAs(work, () => predict(runner));
  const outcome = call.then(
    () => "predicted",
    (cause: unknown) => cause,
  );
  await expect.poll(() => modelProcesses().list().length).toBe(1);
  end();
  const cause = await outcome;
  await expect.poll(() => modelProcesses().list()).toEqual([]);
  return cause;
}

test("the end of a job ends its calls, without a signal that is passed to them", async () => {
  vi.spyOn(store(), "readFile").mockResolvedValue(Buffer.from(slow));
  const stored = storedModelRunner(`projects/${projectId}/models/${projectId}`, "digest");
  for (const runner of [importedFileRunner(projectId, slow), stored]) {
    const job = new AbortController();
    const work = { isJob: true, projectId, signal: job.signal };
    const cause = await endedBy(work, () => job.abort(new Error("cancelled")), runner);
    expect(cause).toMatchObject({ message: "cancelled" });
  }
});

test("the end of a request's time ends its calls with a message for the caller", async () => {
  const late = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
  const end = () => late.abort(new DOMException("late", "TimeoutError"));
  const cause = await endedBy(new RequestWork(projectId), end);
  expect(cause).toMatchObject({
    name: "ModelInvalid",
    message: expect.stringContaining("within 60 seconds"),
  });
});
