import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runToEnd } from "./run-to-end.ts";

test("starts nothing after the signal", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "run-to-end-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = path.join(folder, "script.mjs");
  writeFileSync(script, 'console.log("started");');
  const lines: string[] = [];
  const log = (_name: string, line: string) => void lines.push(line);
  const reason = new Error("stopped");
  const run = runToEnd({ name: "script", script, env: process.env, log }, AbortSignal.abort(reason));
  await expect(run).rejects.toBe(reason);
  expect(lines).toEqual([]);
});
