import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = mkdtempSync(path.join(os.tmpdir(), "run-script-"));
afterAll(() => rmSync(root, { recursive: true }));

// The project's own commands of npm, and in place of the service a script that reports how it was asked to end.
beforeAll(() => {
  const scripts = path.join(root, "scripts");
  const part = path.relative(import.meta.dirname, path.join(scripts, "part.ts"));
  const runScript = path.join(import.meta.dirname, "run-script.mjs");
  mkdirSync(scripts);
  cpSync(path.join(import.meta.dirname, "..", "package.json"), path.join(root, "package.json"));
  writeFileSync(
    path.join(scripts, "start.mjs"),
    `import { runScript } from ${JSON.stringify(runScript)}; await runScript(${JSON.stringify(part)}, []);`,
  );
  cpSync(path.join(scripts, "start.mjs"), path.join(scripts, "up.mjs"));
  writeFileSync(
    path.join(scripts, "part.ts"),
    `for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => { console.log(signal); process.exit(); });
     setInterval(() => {}, 1000);
     console.log("ready");`,
  );
});

test.each([
  ["up", "SIGINT", "SIGINT"],
  ["start", "SIGINT", "SIGINT"],
  ["start", "SIGTERM", "SIGTERM"],
  ["start", "SIGKILL", "SIGTERM"],
] as const)("npm run %s that alone gets %s takes the service with it", async (script, sent, heard) => {
  const npm = spawn("npm", ["run", "--silent", script], { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: npm.stdout })) {
    if (lines.push(line) === 1) npm.kill(sent);
  }
  expect(lines).toEqual(["ready", heard]);
});
