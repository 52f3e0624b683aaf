import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { requireFolder } from "./folders.ts";

test("creates a missing folder, and rejects an unusable path with the variable", () => {
  const home = mkdtempSync(path.join(os.tmpdir(), "folders-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const file = path.join(home, "file");
  writeFileSync(file, "");
  for (const folder of [file, path.join(file, "below")]) {
    expect(() => requireFolder("DATA_DIR", folder)).toThrow(
      `DATA_DIR names ${folder}, which is not a usable`,
    );
  }
  requireFolder("DATA_DIR", path.join(home, "a", "b"));
  expect(statSync(path.join(home, "a", "b")).isDirectory()).toBe(true);
});

test.runIf(process.platform === "linux")("rejects a path where no folder can be created", () => {
  expect(() => requireFolder("STORAGE_URL", "/proc/nothing/here")).toThrow(
    "STORAGE_URL names /proc/nothing/here",
  );
});
