import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { describeEnd } from "./process-end.ts";

const stdio: SpawnOptions["stdio"] = ["ignore", "ignore", "pipe"];

/** Runs a program to its end and describes it. */
async function endOf(program: string, { options = [] as string[], isMemoryUsedUp = false } = {}) {
  const child = spawn(process.execPath, [...options, "-e", program], { stdio });
  const [[code, signal], errorOutput] = await Promise.all([once(child, "close"), text(child.stderr!)]);
  return describeEnd({ code, signal, errorOutput, isMemoryUsedUp }).how;
}

const killed = "process.kill(process.pid, 'SIGKILL')";

test.each([
  ["an exit code", "process.exit(7)", "ended with exit code 7"],
  ["a signal", "process.kill(process.pid, 'SIGSEGV')", "was ended by the signal SIGSEGV"],
  ["a kill", killed, "was ended by the signal SIGKILL"],
  ["its watchdog", "process.kill(process.pid, 'SIGALRM')", "did not respond for 20 seconds and was ended"],
])("describes the end of a process by %s", async (_name, program, how) => {
  expect(await endOf(program)).toBe(how);
});

test("names a lack of memory if it was seen", async () => {
  const fill = "const all = []; for (;;) all.push(new Array(1e5).fill({}));";
  expect(await endOf(fill, { options: ["--max-old-space-size=30"] })).toBe(
    "reached the limit of its JavaScript memory",
  );
  expect(await endOf(killed, { isMemoryUsedUp: true })).toContain(
    "probably because the machine ran out of memory",
  );
});
