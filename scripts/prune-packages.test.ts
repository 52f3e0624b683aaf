import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let root: string;
const at = (name: string) => path.join(root, "node_modules", name);
const write = (file: string, content: unknown = "") => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
};
const install = (name: string, manifest: object = {}) => write(at(`${name}/package.json`), manifest);
const left = (...names: string[]) => names.filter((name) => existsSync(at(name)));

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "prune-packages-"));
  write(path.join(root, "package.json"), {
    dependencies: { server: "1" },
    devDependencies: { "test-runner": "1", linter: "1" },
  });
  install("server", {
    dependencies: { "@parts/used": "1", shared: "1" },
    optionalDependencies: { "for-another-system": "1" },
    peerDependencies: { "test-runner": "1", renderer: "1" },
    peerDependenciesMeta: { "test-runner": { optional: true } },
  });
  install("@parts/used", { dependencies: { shared: "2" } });
  install("@parts/used/node_modules/shared", { dependencies: { deep: "1" } });
  for (const name of ["shared", "renderer", "deep"]) install(name);
  install("test-runner", { dependencies: { "@parts/of-runner": "1", deep: "1" } });
  install("@parts/of-runner");
});
afterEach(() => rmSync(root, { recursive: true }));

const prune = () => {
  const script = path.join(import.meta.dirname, "prune-packages.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
};

const needed = ["server", "renderer", "shared", "deep", "@parts/used", "@parts/used/node_modules/shared"];
const ofDevelopment = ["test-runner", "@parts/of-runner"];

test("in production what only development asks for goes, and everything that something needs stays", () => {
  prune();
  expect(left(...needed, ...ofDevelopment)).toEqual(needed);
});

test("with the packages for development all of them stay", () => {
  install("linter");
  prune();
  expect(left(...needed, ...ofDevelopment)).toEqual([...needed, ...ofDevelopment]);
});

test("source maps and example data go, the demo's weather and everything else stays", () => {
  const data = ["seattle-weather.csv", "cars.json"].map((name) => `vega-datasets/data/${name}`);
  const sources = ["server/index.js", "server/dist/index.js.map"];
  for (const name of [...data, ...sources]) write(at(name));
  install("linter");
  prune();
  expect(left(...data, ...sources)).toEqual([data[0], sources[0]]);
});

// Next.js installs these by itself where they are missing, and npm then brings back everything that was left out.
test("what the build looks for is part of an install for production", () => {
  const manifest = readFileSync(path.join(import.meta.dirname, "..", "package.json"), "utf8");
  expect(Object.keys(JSON.parse(manifest).dependencies)).toEqual(
    expect.arrayContaining(["typescript", "@types/node", "@types/react"]),
  );
});
