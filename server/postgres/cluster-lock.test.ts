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

test("rejects a second claim of a data folder until the first is released", () => {
  const release = claimDataDir(folder);
  expect(() => claimDataDir(folder)).toThrow(/already runs on .* set DATA_DIR/);
  release();
  claimDataDir(folder)();
  expect(existsSync(path.join(folder, "running"))).toBe(false);
});

test("ignores claims of dead processes, of reused process ids and without a valid id", () => {
  for (const stale of [`${process.pid} 1`, "4194305 99", "", "nonsense"]) {
    writeFileSync(path.join(folder, "running"), stale);
    claimDataDir(folder)();
  }
});
