import { expect, test } from "vitest";
import { tasks } from "#testing/thread-tasks";
import type { OpenFile } from "./messages.ts";
import { taskRunner } from "./run-task.ts";

const run = taskRunner(tasks, { module: "../../../testing/thread-tasks.ts", beside: import.meta.url });
const bytes = Number.POSITIVE_INFINITY;
const open: OpenFile = async () =>
  (async function* () {
    for (const word of ["one", "two", "three", "four"]) yield Buffer.from(`${word} `);
  })();

test.each([0, 1, 3, 4])("reads a file again from its start after %i chunks were read", async (chunks) => {
  expect(await run("again", { chunks, times: 2 }, { bytes, open })).toBe("one two three four ");
});

test("ends a thread whose caller has left", async () => {
  const caller = new AbortController();
  const hanging = run("hang", undefined, { bytes, signal: caller.signal });
  expect(await run("echo", "a", { bytes })).toBe("a 1");
  caller.abort(new Error("left"));
  await expect(hanging).rejects.toThrow("left");
});

test("reads a small file in a thread that stays, and a tiny one in the calling thread", async () => {
  const smallFile = { bytes: 5_000, open };
  expect(await run("echo", "a", smallFile)).toBe("a 1");
  expect(await run("echo", "b", smallFile)).toBe("b 2");
  expect(await run("echo", "c", { bytes, open })).toBe("c 1");
  expect(await run("echo", "d", { bytes: 4_096, open })).toBe("d 1");
  expect(await run("echo", "e", { bytes: 500_000 })).toBe("e 2");
});
