import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeOptions } from "#server/node-options";
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

test("processes that claim and release a data folder at the same time only ever reject each other", async () => {
  const script = path.join(folder, "claim.mts");
  const source = JSON.stringify(path.join(import.meta.dirname, "cluster-lock.ts"));
  writeFileSync(
    script,
    `import { claimDataDir } from ${source};
     for (let round = 0; round < 5_000; round++) {
       try { claimDataDir(process.argv[2])(); } catch (error) { if (error.name !== "StartError") throw error; }
     }`,
  );
  const run = () => promisify(execFile)(process.execPath, [...nodeOptions, script, folder]);
  await Promise.all([run(), run(), run()]);
});
