import { expect, test, vi } from "vitest";
import { type Counts, runPart } from "./part.ts";

vi.spyOn(console, "log").mockImplementation(() => {});
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

test("fails if a command cannot start", async () => {
  expect(await runPart("part", [["-e", "\0"]])).toMatchObject({ passed: false, counts: null });
  expect(errors).toHaveBeenLastCalledWith(expect.stringContaining("null bytes"));
});

test("fails if its report cannot be read", async () => {
  const count = () => JSON.parse('{"numPassedTests":') as Counts;
  expect(await runPart("part", [["-e", ""]], { count })).toMatchObject({ passed: false, counts: null });
  expect(errors).toHaveBeenLastCalledWith(expect.stringContaining("JSON"));
});
