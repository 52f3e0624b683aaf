import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { documentedRoutes } from "../../../app/api/v1/documented-routes.ts";
import { openApiDocument } from "./document.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..", "..", "..");
const linter = path.join(root, "node_modules/@redocly/cli/bin/cli.js");

// The linter is a process that loads for seconds, on a busy machine for more than half a minute.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "openapi-lint-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the rules that the document breaks, with their locations. */
async function lint(document: object): Promise<string[]> {
  const file = path.join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const options = {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  };
  const args = [linter, "lint", file, "--config", "redocly.yaml", "--format", "json"];
  const { stdout } = await run(process.execPath, args, options).catch((failed: { stdout: string }) => failed);
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

test("the document lints without errors and warnings", async () => {
  expect(await lint(await openApiDocument(documentedRoutes))).toEqual([]);
});

test("the linter reports a broken rule", async () => {
  const { info: _, ...without } = await openApiDocument(documentedRoutes);
  expect(await lint(without)).toContainEqual(expect.stringContaining("info"));
});
