import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const patches = globSync("*.patch", { cwd: import.meta.dirname });

test.each(patches)("%s names its guarantee and its finder, and applies to the code", (name) => {
  const file = path.join(import.meta.dirname, name);
  expect(readFileSync(file, "utf8")).toMatch(/^Breaks: .+\nFind: .+\n(?:Reverts: .+\n)?\n/);
  execFileSync("git", ["apply", "--check", file], { stdio: "pipe" });
});
