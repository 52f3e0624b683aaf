import { expect, test } from "vitest";
import { taskRunner } from "./run-task.ts";
import type { OpenFile } from "./task.ts";
import { testTasks } from "./test-tasks.ts";

const run = taskRunner(testTasks, { entry: "./test-task-thread.ts", beside: import.meta.url });
const bytes = Number.POSITIVE_INFINITY;
const open: OpenFile = async () =>
  (async function* () {
    for (const word of ["one", "two", "three", "four"]) yield Buffer.from(`${word} `);
  })();

test.each([0, 1, 3, 4])(
  "a file that is given up after %i chunks is read again from its start",
  async (chunks) => {
    expect(await run("again", { chunks, times: 2 }, { bytes, open })).toBe("one two three four ");
  },
);
