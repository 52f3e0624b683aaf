import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { admin } from "./service.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");
const inModules = (file: string) => path.join(root, "node_modules", file);

const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  lib: ["es2024", "dom", "dom.iterable"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [inModules("@types")],
};

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "typed-client-"));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a Node.js program and returns its output; throws with the output if it fails. */
async function node(...args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const failed = ({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${args.join(" ")}\n${stdout}\n${stderr}`);
  };
  return (await run(process.execPath, args, { cwd: folder, env }).catch(failed)).stdout;
}

test("generates a client from /api/v1/openapi.json that compiles and works", async ({ request }) => {
  const document = await request.get("/api/v1/openapi.json");
  expect(document.ok()).toBe(true);
  writeFileSync(path.join(folder, "openapi.json"), await document.body());
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  copyFileSync(path.join(import.meta.dirname, "typed-client", "program.ts"), path.join(folder, "program.ts"));

  const generator = inModules("@redocly/cli/bin/cli.js");
  const wanted = ["--import-ext", "ts", "--error-mode", "result", "--args-style", "grouped"];
  await node(generator, "generate-client", "openapi.json", "-o", "client.ts", ...wanted);
  await node(inModules("typescript/bin/tsc"), "-p", ".");

  const { email, password } = admin;
  const seen = JSON.parse(await node("program.ts", process.env.E2E_BASE_URL!, email, password));
  expect(seen).toEqual({
    status: "Completed",
    rows: 5,
    points: expect.any(Number),
    predictions: 1,
    absent: "checkpoint_not_found",
    misspelt: ["title: required", "titel: unknown_field"],
    anonymous: "api_key_missing",
    revoked: "api_key_invalid",
  });
  expect(seen.points).toBeGreaterThan(1);
  expect(seen.points).toBeLessThanOrEqual(10);
});
