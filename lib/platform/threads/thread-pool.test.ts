import { expect, test, vi } from "vitest";
import { Slots } from "#lib/platform/concurrency/slots";
import { ThreadPool } from "./thread-pool.ts";

const settings = {
  module: "../../../testing/thread-tasks.ts",
  beside: import.meta.url,
  slots: new Slots({ atOnce: 1, waiting: 10, waitMs: 60_000 }),
  heapMb: 24,
};
const pool = new ThreadPool({ ...settings, idleMs: 60_000 });
const echo = (input: string) => pool.run({ task: "echo", input });

test("runs tasks one after the other in a thread that stays", async () => {
  expect(await Promise.all([echo("a"), echo("b")])).toEqual(["a 1", "b 2"]);
});

test("throws the error of a task with its cause, and keeps the thread", async () => {
  const error = await pool.run({ task: "fail", input: null }).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({
    name: "RangeError",
    message: "Out of range.",
    cause: { message: "The cause." },
  });
  expect(await echo("c")).toBe("c 4");
});

test.each([
  ["exit", "A thread ended with code 3."],
  ["fill", "ERR_WORKER_OUT_OF_MEMORY"],
])("a thread that ends (%s) fails its own task alone", async (task, expected) => {
  const [failed, next] = await Promise.allSettled([pool.run({ task, input: null }), echo("d")]);
  const { code, message } = (failed as PromiseRejectedResult).reason;
  expect([code, message]).toContain(expected);
  expect(next).toEqual({ status: "fulfilled", value: "d 1" });
});

test("a caller that leaves the queue is not served", async () => {
  const caller = new AbortController();
  const first = echo("e");
  const left = pool.run({ task: "echo", input: "f", signal: caller.signal });
  caller.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(await first).toMatch("e");
});

test("starts a thread for each task where threads do not stay", async () => {
  const fresh = new ThreadPool({ ...settings, idleMs: 0 });
  expect(await fresh.run({ task: "echo", input: "a" })).toBe("a 1");
  expect(await fresh.run({ task: "echo", input: "b" })).toBe("b 1");
});

test("keeps a thread from its last task for the idle time, and gives no task to a thread that ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const brief = new ThreadPool({ ...settings, idleMs: 1_000 });
    const next = (word: string) => brief.run({ task: "echo", input: word });
    expect(await next("a")).toBe("a 1");
    vi.advanceTimersByTime(600);
    expect(await next("b")).toBe("b 2");
    vi.advanceTimersByTime(999);
    expect(await next("c")).toBe("c 3");
    vi.advanceTimersByTime(1_000);
    expect(await next("d")).toBe("d 1");
  } finally {
    vi.useRealTimers();
  }
});
