import { expect, test } from "vitest";
import { clearObjects } from "#testing/new-state";
import { tasks } from "#testing/thread-tasks";
import { offerToThreads } from "./main-thread-calls.ts";
import { taskRunner } from "./run-task.ts";

const run = taskRunner(tasks, { module: "../../../testing/thread-tasks.ts", beside: import.meta.url });
const ask = (request: number) => run("ask", { name: "double", request }, { bytes: Number.POSITIVE_INFINITY });

offerToThreads("double", async (request) => 2 * (request as number));

test("threads call a function that a module offered", async () => {
  expect(await ask(21)).toBe(42);
});

test("threads of the next test file call it, although its module loads only once", async () => {
  clearObjects();
  expect(await ask(4)).toBe(8);
});
