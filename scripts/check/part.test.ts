import { expect, test, vi } from "vitest";
import { type Counts, runPart } from "./part.ts";

const log = vi.spyOn(console, "log").mockImplementation(() => {});
const errors = vi.spyOn(console, "error").mockImplementation(() => {});

const counts: Counts = { passed: 3, failed: 0, skipped: 0, failures: [] };

test("passes if every command succeeds, and stops at the first that fails", async () => {
  const none = ["-e", ""];
  expect(await runPart("part", [none, none], { count: () => counts })).toMatchObject({
    passed: true,
    counts,
  });
  const cannotStart = ["-e", "\0"];
  expect(await runPart("part", [["-e", "process.exit(1)"], cannotStart])).toMatchObject({
    passed: false,
    counts: null,
  });
  expect(errors).not.toHaveBeenCalled();
});

test("prints the name of the part before each line of the output, and waits for the last line", async () => {
  log.mockClear();
  await runPart("part", [["-e", "console.log('one\\ntwo'); process.stderr.write('three')"]]);
  const lines = log.mock.calls.map(([line]) => line);
  expect(lines.sort()).toEqual(["part    │ one", "part    │ three", "part    │ two"]);
});

test("does not wait for a process that a command leaves behind", async () => {
  const left =
    "spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20_000)'], { stdio: 'inherit' }).unref()";
  const outcome = await runPart("part", [["-e", `const { spawn } = require('child_process'); ${left}`]]);
  expect(outcome.passed).toBe(true);
  expect(outcome.durationMs).toBeLessThan(15_000);
});

test("fails if a command cannot start", async () => {
  expect(await runPart("part", [["-e", "\0"]])).toMatchObject({ passed: false, counts: null });
  expect(errors).toHaveBeenLastCalledWith(expect.stringContaining("null bytes"));
});

test("fails if its report cannot be read", async () => {
  const count = () => JSON.parse('{"numPassedTests":') as Counts;
  expect(await runPart("part", [["-e", ""]], { count })).toMatchObject({ passed: false, counts: null });
  expect(errors).toHaveBeenLastCalledWith(expect.stringContaining("JSON"));
});
