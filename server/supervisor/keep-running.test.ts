import { expect, test } from "vitest";
import { keepRunning, type Running } from "./keep-running.ts";

type Started = Running & { end: (how: string) => void; at: number; stopped: boolean };

/** Things that run until they are told how to end. */
function stage() {
  const started: Started[] = [];
  const waiting: ((started: Started) => void)[] = [];
  const troubles: string[] = [];
  const start = (): Running => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const running: Started = {
      exited: promise,
      end: resolve,
      at: performance.now(),
      stopped: false,
      async stop() {
        this.stopped = true;
        resolve("asked");
      },
    };
    started.push(running);
    waiting.shift()?.(running);
    return running;
  };
  const nextStart = () => new Promise<Started>((resolve) => waiting.push(resolve));
  return { started, start, nextStart, troubles, onTrouble: (message: string) => troubles.push(message) };
}

test("what ends is started again, each time later, and the reason is told", async () => {
  const { started, start, nextStart, troubles, onTrouble } = stage();
  const stop = await keepRunning({ start, onTrouble, firstDelayMs: 20, longestDelayMs: 40 });
  const endings: number[] = [];
  for (let i = 0; i < 4; i++) {
    const next = nextStart();
    const endedAt = performance.now();
    started.at(-1)!.end(`code ${i}`);
    endings.push((await next).at - endedAt);
  }
  expect(troubles).toEqual([
    "ended with code 0; starting again in 20 ms",
    "ended with code 1; starting again in 40 ms",
    "ended with code 2; starting again in 40 ms",
    "ended with code 3; starting again in 40 ms",
  ]);
  for (const [i, waitedMs] of endings.entries()) expect(waitedMs).toBeGreaterThanOrEqual(i === 0 ? 18 : 38);
  await stop();
});

test("after a long life the waiting begins anew", async () => {
  const { started, start, nextStart, troubles, onTrouble } = stage();
  const stop = await keepRunning({ start, onTrouble, firstDelayMs: 1, longestDelayMs: 8, settledMs: 0 });
  for (let i = 0; i < 3; i++) {
    const next = nextStart();
    started.at(-1)!.end("code 1");
    await next;
  }
  expect(new Set(troubles)).toEqual(new Set(["ended with code 1; starting again in 1 ms"]));
  await stop();
});

test("a stop ends it for good, also between an end and the next start", async () => {
  const { started, start, onTrouble, troubles } = stage();
  const stop = await keepRunning({ start, onTrouble, firstDelayMs: 60_000 });
  started[0]!.end("code 1");
  await expect.poll(() => troubles).toHaveLength(1);
  await stop();
  expect(started).toHaveLength(1);

  const again = stage();
  await (await keepRunning(again))();
  expect(again.started.map(({ stopped }) => stopped)).toEqual([true]);
  expect(again.troubles).toEqual([]);
});

test("a first start that fails is the caller's to hear; a later one is tried again", async () => {
  const failing = () => {
    throw new Error("no room");
  };
  await expect(keepRunning({ start: failing, onTrouble: () => {} })).rejects.toThrow("no room");

  const { started, start, nextStart, troubles, onTrouble } = stage();
  let fail = false;
  const stop = await keepRunning({ start: () => (fail ? failing() : start()), onTrouble, firstDelayMs: 1 });
  fail = true;
  started[0]!.end("code 1");
  await expect
    .poll(() => troubles.filter((line) => line === "does not start: no room").length)
    .toBeGreaterThan(1);
  const next = nextStart();
  fail = false;
  await next;
  await stop();
});
