import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

const root = mkdtempSync(path.join(os.tmpdir(), "install-"));
afterAll(() => rmSync(root, { recursive: true }));

mkdirSync(path.join(root, "scripts"));
for (const name of ["install.mjs", "run-script.mjs"])
  cpSync(path.join(import.meta.dirname, name), path.join(root, "scripts", name));
mkdirSync(path.join(root, "node_modules", "node", "bin"), { recursive: true });
writeFileSync(path.join(root, "node_modules", "node", "bin", "node"), "");
writeFileSync(
  path.join(root, "start.mjs"),
  'import("./scripts/install.mjs").then((it) => it.requireInstalled());',
);

type Packages = Record<string, { version: string; dev?: true; optional?: true }>;
const write = (file: string, packages: Packages) =>
  writeFileSync(path.join(root, file), JSON.stringify({ packages }));

const locked: Packages = {
  "node_modules/next": { version: "2.0.0" },
  "node_modules/other-platform": { version: "1.0.0", optional: true },
  "node_modules/vitest": { version: "1.0.0", dev: true },
};
const next = { "node_modules/next": { version: "2.0.0" } };

test.each([
  ["all packages", locked, 0],
  ["those of production alone", next, 0],
  ["a former version of one", { "node_modules/next": { version: "1.0.0" } }, 1],
  ["one too few", {}, 1],
] as const)("a start with %s is rejected or goes on, as is right", (_, installed, code) => {
  write("package-lock.json", locked);
  write(path.join("node_modules", ".package-lock.json"), installed);
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, "start.mjs")], {
    encoding: "utf8",
  });
  expect(status).toBe(code);
  expect(stderr.includes("run npm ci first")).toBe(code === 1);
});

// Next.js installs these by itself if they are missing. npm then also installs all development packages.
test("a production install contains the packages that the build looks for", () => {
  const manifest = readFileSync(path.join(import.meta.dirname, "..", "package.json"), "utf8");
  expect(Object.keys(JSON.parse(manifest).dependencies)).toEqual(
    expect.arrayContaining(["typescript", "@types/node", "@types/react"]),
  );
});
