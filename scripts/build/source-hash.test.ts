import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasSourceSince, sourceHash } from "./source-hash.ts";

let root: string;
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
};
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "source-hash-"));
  write("app/page.tsx", "one");
  write("package.json", "{}");
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ["a changed source", () => write("app/page.tsx", "two")],
  ["a new source", () => write("components/button.tsx", "one")],
  ["a moved source", () => renameSync(path.join(root, "app/page.tsx"), path.join(root, "app/moved.tsx"))],
  ["another set of packages", () => write("package-lock.json", "{}")],
])("%s requires a new build", (_, change) => {
  const before = sourceHash(root);
  change();
  expect(sourceHash(root)).not.toBe(before);
});

test("changes of tests, data and scripts require no new build", () => {
  const before = sourceHash(root);
  write("lib/x.test.ts", "test");
  write("scripts/start.ts", "start");
  write(".data/secrets/auth", "secret");
  expect(sourceHash(root)).toBe(before);
});

test("only a source written after the build is newer", () => {
  const now = Date.now();
  for (const name of ["app/page.tsx", "package.json"]) utimesSync(path.join(root, name), 0, now / 1000 - 10);
  write("scripts/start.ts", "start");
  expect(hasSourceSince(root, now - 5_000)).toBe(false);
  write("lib/x.ts", "one");
  expect(hasSourceSince(root, now - 5_000)).toBe(true);
});
