import { mkdtempSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { secretFile } from "./secrets.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "secret-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a secret is made once and stays the same", () => {
  const first = secretFile(folder, "auth");
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(secretFile(folder, "auth")).toBe(first);
  expect(secretFile(folder, "other")).not.toBe(first);
});

test("only the owner can read a secret", () => {
  secretFile(folder, "auth");
  expect(statSync(path.join(folder, "secrets", "auth")).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(folder, "secrets")).mode & 0o777).toBe(0o700);
});
