import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimDataDir } from "./cluster-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "cluster-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a data folder is held by one process at a time", () => {
  const release = claimDataDir(folder);
  expect(() => claimDataDir(folder)).toThrow(/already runs on .* set DATA_DIR/);
  release();
  claimDataDir(folder)();
  expect(existsSync(path.join(folder, "running"))).toBe(false);
});

test("the claim of a process that is gone, or whose number another one has by now, counts for nothing", () => {
  for (const stale of [`${process.pid} 1`, "4194305 99", "", "nonsense"]) {
    writeFileSync(path.join(folder, "running"), stale);
    claimDataDir(folder)();
  }
});
