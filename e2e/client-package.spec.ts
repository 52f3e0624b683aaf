import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { APIRequestContext } from "@playwright/test";
import type { CreatedApiKey } from "#lib/contract/api-keys";
import type { Project } from "#lib/contract/projects";
import type { Scenario } from "#lib/contract/scenarios";
import { startTcpProxy } from "#testing/tcp-proxy";
import { data, expect, test, unique } from "./signed-in.ts";

const root = path.resolve(import.meta.dirname, "..");
const inModules = (file: string) => path.join(root, "node_modules", file);

const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  lib: ["es2022", "dom", "dom.iterable"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  outDir: "out",
  types: ["node"],
  typeRoots: [inModules("@types")],
};

const readme = readFileSync(path.join(root, "README.md"), "utf8");
/** Returns lines of the README, which differ only in the address of the service. */
const ofService = (lines: string) => lines.replace("http://localhost:3000", process.env.E2E_BASE_URL!);

let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "client-package-"));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module", "private": true }');
  const command = /^npm install http:.*$/m.exec(readme)?.[0] ?? "";
  await run("npm", ofService(command).split(" ").slice(1));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program in the folder and returns its output; throws with the output if it fails. */
async function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env, FORCE_COLOR: "0" } });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Returns the demo's project of daily temperatures, and a key of it. */
async function access(request: APIRequestContext) {
  const projects = await data<Project[]>(request, "get", "/projects");
  const { id } = projects.find(({ name }) => name === "Seattle temperature")!;
  const { key } = await data<CreatedApiKey>(request, "post", `/projects/${id}/api-keys`, {
    name: unique("Program"),
  });
  return { id, key };
}

test("compiles against a program, and repeats a creation whose response was lost", async ({ page }) => {
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  mkdirSync(path.join(folder, "out"));
  copyFileSync(path.join(import.meta.dirname, "client-package/program.ts"), path.join(folder, "program.ts"));
  await run(process.execPath, [inModules("typescript/bin/tsc"), "-p", "."]);

  const { id, key } = await access(page.request);
  const title = unique("From a program");
  const named = async () => {
    const search = new URLSearchParams({ search: title });
    return data<Scenario[]>(page.request, "get", `/projects/${id}/scenarios?${search}`);
  };
  const { hostname: host, port } = new URL(process.env.E2E_BASE_URL!);
  await using proxy = await startTcpProxy({ host, port: Number(port) });
  // The service creates the scenario, and each response is cut off until then.
  proxy.cutAfter(1);
  const args = ["out/program.js", proxy.via(process.env.E2E_BASE_URL!), key, id, title];
  const program = run(process.execPath, args);
  await Promise.race([program, expect.poll(async () => (await named()).length).toBe(1)]);
  proxy.resume();
  const seen = JSON.parse(await program);
  expect(seen).toEqual({
    progress: true,
    status: "Completed",
    attempts: expect.any(Number),
    keys: 1,
    listed: 1,
    pages: true,
    csv: "text/csv",
    uploaded: ["Completed", 1],
    codes: ["checkpoint_not_found", "validation_failed", "api_key_missing"],
    failed: expect.stringMatching(/\S/),
  });
  expect(seen.attempts).toBeGreaterThan(1);
  const titles = (await named()).map((one) => one.title);
  expect(titles.toSorted()).toEqual([title, `${title}, uploaded`]);
});

test("the first lines of the README run as they stand", async ({ page }) => {
  const lines = /```js\n(.*?)```/s.exec(readme)?.[1] ?? "";
  writeFileSync(path.join(folder, "first.mjs"), ofService(lines));
  const { id, key } = await access(page.request);
  const printed = await run(process.execPath, ["first.mjs"], { KEY: key, PROJECT: id });
  expect(printed).toMatch(/^Next two weeks [\d.-]+\n$/);
});
