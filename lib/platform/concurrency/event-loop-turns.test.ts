import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventLoopTurns } from "./event-loop-turns.ts";

test("gives simultaneous callers one iteration of the event loop each", async () => {
  const turn = eventLoopTurns();
  let iteration = 0;
  let isOver = false;
  const count = (async () => {
    for (; !isOver; iteration++) await nextTick();
  })();
  const iterations = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await turn();
      return iteration;
    }),
  );
  isOver = true;
  await count;
  expect(new Set(iterations).size).toBe(5);
});
