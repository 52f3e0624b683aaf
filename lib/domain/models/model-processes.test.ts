import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import type { Table } from "#lib/contract/table";
import type { ModelWork, UsedModel } from "#lib/engine/inference/model-runner";
import { growingModel, identityModel, layeredModel, outerProductModel } from "#testing/onnx-models";
import { ModelProcesses } from "./model-processes.ts";

const settings = { budgetMb: 640, processMb: 320, timeoutMs: 30_000, waitMs: 60_000, idleMs: 60_000 };
// Each test starts several processes, which have a low priority.
vi.setConfig({ testTimeout: 120_000 });

let processes = new ModelProcesses(settings);

const open = (changes: Partial<typeof settings> = {}) => {
  processes = new ModelProcesses({ ...settings, ...changes });
  return processes;
};

afterEach(() => processes.endIdle());

let models = 0;

function modelOf(bytes: Uint8Array, features = ["x"]): UsedModel {
  const bindings = features.map((feature, index) => ({ feature, input: "X", index }));
  const use = { bindings, choice: {} };
  return { key: String(models++), use, size: bytes.length, read: async () => bytes };
}

const rows = (...values: number[]): ModelWork => {
  const column = { name: "x", type: "number" as const, values: Float64Array.from(values) };
  return { kind: "predict", rowsBefore: 0, table: { rowCount: values.length, columns: [column] } };
};

function wideRows(width: number, rowCount: number): ModelWork {
  const columns = Array.from({ length: width }, (_, at) => ({
    name: `x${at}`,
    type: "number" as const,
    values: new Float64Array(rowCount).fill(at === 0 ? 2 : 0),
  }));
  return { kind: "predict", rowsBefore: 0, table: { rowCount, columns } satisfies Table };
}

const identity = identityModel(["N", 1]);
const answer = async (promise: Promise<unknown>) => Array.from((await promise) as Float64Array);

/** Returns the private memory of a process in megabytes, as the system counts it. */
function privateMb(pid: number): number {
  try {
    const [, kilobytes = 0] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

test("runs all models and calls of a project in one process, and no two projects in the same one", async () => {
  const { list } = open();
  const [first, second] = [modelOf(identity), modelOf(layeredModel(2, 3, "N"), ["x0", "x1", "x2"])];
  const seen = new Set<string>();
  const calls = ["a", "b"].flatMap((project) =>
    Array.from({ length: 6 }, async (_, at) => {
      const [model, work] = at % 2 === 0 ? [first, rows(at, 1)] : [second, wideRows(3, 2)];
      const values = await answer(processes.run(project, model!, work!));
      for (const { projectId, pid } of list.call(processes)) seen.add(`${projectId} ${pid}`);
      return values;
    }),
  );
  const of = (at: number) => (at % 2 === 0 ? [at, 1] : [2, 2]);
  expect(await Promise.all(calls)).toEqual([0, 1].flatMap(() => [0, 1, 2, 3, 4, 5].map(of)));
  expect([...seen].map((one) => one.split(" ")[0]).sort()).toEqual(["a", "b"]);
  expect(new Set([...seen].map((one) => one.split(" ")[1])).size).toBe(2);
});

test("gives a process a lower priority than the service", async () => {
  open();
  expect(await answer(processes.run("a", modelOf(identity), rows(1)))).toEqual([1]);
  expect(getPriority(processes.list()[0]!.pid!)).toBeGreaterThan(getPriority());
});

test("rejects a stored model with too large a fixed batch, and keeps the process", async () => {
  open();
  expect(await answer(processes.run("a", modelOf(identity), rows(1)))).toEqual([1]);
  const before = processes.list().map(({ pid }) => pid);
  const stored = processes.run("a", modelOf(identityModel([100_000_000, 1])), rows(1));
  await expect(stored).rejects.toThrow("a fixed batch of 100,000,000 rows. At most 10,000 are supported.");
  expect(processes.list().map(({ pid }) => pid)).toEqual(before);
});

test("runs a call again, once, whose process something else has ended", async () => {
  open();
  const slow = modelOf(
    layeredModel(700, 64, 256),
    Array.from({ length: 64 }, (_, at) => `x${at}`),
  );
  expect(await answer(processes.run("a", slow, wideRows(64, 1)))).toEqual([2]);
  const pid = processes.list()[0]!.pid!;
  const call = processes.run("a", slow, wideRows(64, 2_000));
  process.kill(pid, "SIGKILL");
  expect(await answer(call)).toEqual(new Array(2_000).fill(2));
  expect(processes.list().map((one) => one.pid)).not.toEqual([pid]);
});

test("ends a process whose model takes too long, and fails only that call", async () => {
  open({ timeoutMs: 2_000 });
  const slow = modelOf(
    layeredModel(4_000, 256, "N"),
    Array.from({ length: 256 }, (_, at) => `x${at}`),
  );
  const late = processes.run("a", slow, wideRows(256, 8_192));
  const others = [1, 2].map((value) => answer(processes.run("a", modelOf(identity), rows(value))));
  await expect(late).rejects.toThrow("The model did not respond within 2 seconds.");
  expect(await Promise.all(others)).toEqual([[1], [2]]);
});

test("ends a call whose signal is aborted, and fails only that call", async () => {
  open();
  const slow = modelOf(
    layeredModel(4_000, 256, "N"),
    Array.from({ length: 256 }, (_, at) => `x${at}`),
  );
  const caller = new AbortController();
  const { signal } = caller;
  const first = answer(processes.run("a", modelOf(identity), rows(1)));
  const running = processes.run("a", slow, wideRows(256, 8_192), { signal });
  const waiting = processes.run("a", slow, wideRows(256, 8_192), { signal });
  const other = answer(processes.run("a", modelOf(identity), rows(3)));
  await first;
  caller.abort(new Error("cancelled"));
  await expect(running).rejects.toThrow("cancelled");
  await expect(waiting).rejects.toThrow("cancelled");
  expect(await other).toEqual([3]);
});

test.runIf(process.platform === "linux")(
  "gives a call that needs more memory all that a process may have, and then fails it alone",
  async () => {
    open();
    const model = modelOf(growingModel());
    expect(await answer(processes.run("a", model, rows(10)))).toEqual([10]);
    const { pid, limitMb } = processes.list()[0]!;
    // 2^25 values take 128 MB, 2^27 take 512 MB.
    expect(await answer(processes.run("a", model, rows(2 ** 25)))).toEqual([2 ** 25]);
    const [larger] = processes.list();
    expect(larger!.limitMb).toBeGreaterThan(limitMb);
    expect(larger!.pid).not.toBe(pid);
    const failing = processes.run("a", model, rows(2 ** 27));
    const next = answer(processes.run("a", model, rows(3)));
    await expect(failing).rejects.toThrow("more than the limit of 320 MB of memory");
    expect(await next).toEqual([3]);
  },
);

test.runIf(process.platform === "linux")(
  "the memory of all processes stays below the budget, and returns",
  async () => {
    const budgetMb = 400;
    open({ budgetMb, idleMs: 1 });
    // A call takes 80 MB beside the 40 MB of the process.
    const bytes = outerProductModel(2_000, 10_000);
    const pids = new Set<number>();
    let peakMb = 0;
    const watch = setInterval(() => {
      for (const { pid } of processes.list()) pids.add(pid!);
      peakMb = Math.max(
        peakMb,
        [...pids].reduce((sum, pid) => sum + privateMb(pid), 0),
      );
    }, 5);
    const calls = Array.from({ length: 24 }, (_, at) =>
      answer(processes.run(`p${at % 12}`, modelOf(bytes), rows(at), { isPatient: true })),
    );
    expect(await Promise.all(calls)).toEqual(calls.map((_, at) => [at]));
    await expect.poll(() => processes.list(), { timeout: 30_000 }).toEqual([]);
    clearInterval(watch);
    expect(pids.size).toBeGreaterThanOrEqual(12);
    expect(peakMb).toBeGreaterThan(100);
    expect(peakMb).toBeLessThan(budgetMb);
  },
);

test("rejects a call that finds no room in time, unless it is patient", async () => {
  open({ budgetMb: 200, processMb: 200, waitMs: 500 });
  const width = 256;
  const slow = modelOf(
    layeredModel(4_000, width, "N"),
    Array.from({ length: width }, (_, at) => `x${at}`),
  );
  const caller = new AbortController();
  const running = processes.run("a", slow, wideRows(width, 8_192), { signal: caller.signal });
  const late = processes.run("b", modelOf(identity), rows(1), {});
  const patient = answer(processes.run("c", modelOf(identity), rows(2), { isPatient: true }));
  await expect(late).rejects.toMatchObject({ code: "service_unavailable", retryAfterSeconds: 10 });
  caller.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  expect(await patient).toEqual([2]);
});
