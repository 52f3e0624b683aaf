import { expect, test } from "vitest";
import { keepRunning, type Running } from "./keep-running.ts";

type Started = Running & { end: (how: string) => void; at: number; stopped: boolean };

/** Returns a `start` function whose processes run until the test ends them. */
function fakeProcesses() {
  const started: Started[] = [];
  const waiting: ((started: Started) => void)[] = [];
  const failures: string[] = [];
  const start = (): Running => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const running: Started = {
      exited: promise,
      end: resolve,
      at: performance.now(),
      stopped: false,
      async stop() {
        this.stopped = true;
        resolve("stopped");
      },
    };
    started.push(running);
    waiting.shift()?.(running);
    return running;
  };
  const nextStart = () => new Promise<Started>((resolve) => waiting.push(resolve));
  return { started, start, nextStart, failures, onFailure: (message: string) => failures.push(message) };
}

test("restarts after each exit with an increasing delay and reports the reason", async () => {
  const { started, start, nextStart, failures, onFailure } = fakeProcesses();
  const stop = await keepRunning({ start, onFailure, firstDelayMs: 20, longestDelayMs: 40 });
  const endings: number[] = [];
  for (let i = 0; i < 4; i++) {
    const next = nextStart();
    const endedAt = performance.now();
    started.at(-1)!.end(`code ${i}`);
    endings.push((await next).at - endedAt);
  }
  expect(failures).toEqual([
    "ended with code 0; restarting in 20 ms",
    "ended with code 1; restarting in 40 ms",
    "ended with code 2; restarting in 40 ms",
    "ended with code 3; restarting in 40 ms",
  ]);
  for (const [i, waitedMs] of endings.entries()) expect(waitedMs).toBeGreaterThanOrEqual(i === 0 ? 18 : 38);
  await stop();
});

test("resets the delay after a long run", async () => {
  const { started, start, nextStart, failures, onFailure } = fakeProcesses();
  const stop = await keepRunning({ start, onFailure, firstDelayMs: 1, longestDelayMs: 8, settledMs: 0 });
  for (let i = 0; i < 3; i++) {
    const next = nextStart();
    started.at(-1)!.end("code 1");
    await next;
  }
  expect(new Set(failures)).toEqual(new Set(["ended with code 1; restarting in 1 ms"]));
  await stop();
});

test("does not restart after a stop, even between an exit and the next start", async () => {
  const { started, start, onFailure, failures } = fakeProcesses();
  const stop = await keepRunning({ start, onFailure, firstDelayMs: 60_000 });
  started[0]!.end("code 1");
  await expect.poll(() => failures).toHaveLength(1);
  await stop();
  expect(started).toHaveLength(1);

  const again = fakeProcesses();
  await (await keepRunning(again))();
  expect(again.started.map(({ stopped }) => stopped)).toEqual([true]);
  expect(again.failures).toEqual([]);
});

test("rejects if the first start fails, and retries later starts that fail", async () => {
  const failing = () => {
    throw new Error("no room");
  };
  await expect(keepRunning({ start: failing, onFailure: () => {} })).rejects.toThrow("no room");

  const { started, start, nextStart, failures, onFailure } = fakeProcesses();
  let fail = false;
  const stop = await keepRunning({ start: () => (fail ? failing() : start()), onFailure, firstDelayMs: 1 });
  fail = true;
  started[0]!.end("code 1");
  await expect
    .poll(() => failures.filter((line) => line === "failed to start: no room").length)
    .toBeGreaterThan(1);
  const next = nextStart();
  fail = false;
  await next;
  await stop();
});
