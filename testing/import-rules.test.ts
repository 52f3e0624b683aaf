import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { importRules, layers } from "./import-rules.ts";

const root = path.resolve(import.meta.dirname, "..");
const isTest = /\.test\.tsx?$/;
const sources = globSync("{app,components,lib,server,db,demo,scripts,bench,testing}/**/*.{ts,tsx}", {
  cwd: root,
}).filter((file) => !isTest.test(file));
const specifiers =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Returns the imports of a file: names of packages, and paths of the repository's modules without extension. */
function importsOf(file: string): string[] {
  return [...readFileSync(path.join(root, file), "utf8").matchAll(specifiers)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    const found = name.startsWith(".") ? path.posix.join(path.posix.dirname(file), name) : name;
    return found.replace(/^#/, "").replace(/\.tsx?$/, "");
  });
}

const byName = new Map(sources.map((file) => [file.replace(/\.tsx?$/, ""), file]));
const imports = new Map(sources.map((file) => [file, importsOf(file)]));
/** Has the types of the routes' declarations, which load nothing. It may hold no values. */
const typesOfRoutes = "components/api/route-types.ts";
const edges = sources.flatMap((from) =>
  from === typesOfRoutes
    ? []
    : imports.get(from)!.flatMap((name) => {
        const to = byName.get(name);
        return to === undefined ? [] : [{ from, to }];
      }),
);

const layerOf = (file: string) => Object.keys(layers).find((layer) => file.startsWith(`${layer}/`));

/** Splits a path into parts. Each layer of `lib` counts as one part. */
const partsOf = (file: string) => {
  const parts = file.split("/");
  return parts[0] === "lib" ? [parts.slice(0, 2).join("/"), ...parts.slice(2)] : parts;
};

/** Returns the cycles of a graph, each as a list of its nodes. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: string[]) => {
    if (trail.includes(node)) cycles.push([...trail.slice(trail.indexOf(node)), node].join(" → "));
    if (done.has(node) || trail.includes(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

const readSource = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Returns the files that a file loads at its import, directly and indirectly. */
function loadedBy(file: string): string[] {
  const found = new Set([file]);
  for (const from of found) {
    const text = readFileSync(path.join(root, from), "utf8").replace(/^(?:im|ex)port type\b[^;]*;/gm, "");
    for (const [, name = ""] of text.matchAll(/^(?:import|export)\b[^;'"]*?from "([#.][^"]+)"/gm)) {
      const place = name.startsWith(".") ? path.posix.join(path.posix.dirname(from), name) : name.slice(1);
      const to = byName.get(place.replace(/\.tsx?$/, ""));
      if (to !== undefined) found.add(to);
    }
  }
  return [...found];
}

const scenario = "app/api/v1/projects/[projectId]/scenarios/[scenarioId]";

it.each([`${scenario}/route.ts`, `${scenario}/predictions/route.ts`])("%s loads no model code", (route) => {
  const loaded = loadedBy(route);
  expect(loaded).toContain("lib/api/define-route.ts");
  const models = /^lib\/engine\/(explanation|learners|onnx|runtime|series-methods|trees)\//;
  expect(loaded.filter((file) => models.test(file))).toEqual([]);
});

describe("ONNX Runtime", () => {
  const runtime = /^onnxruntime-node$/;
  const users = sources.filter((file) => imports.get(file)!.some((name) => runtime.test(name)));
  /** Entries of processes that may end, tests and measurements. */
  const mayEnd =
    /^(lib\/engine\/(runtime\/smoke-child|inference\/model-child)|lib\/domain\/checkpoints\/try-checkpoint-child)\.ts$|^(bench|testing)\//;

  it("is loaded only by processes that may end, never by the service", () => {
    // Types of the package load nothing.
    const loads = (file: string) => /^import (?!type\b)[^;]*?from "onnxruntime-node"/m.test(readSource(file));
    const found = sources.filter((file) => !mayEnd.test(file) && loadedBy(file).some(loads));
    const allowed = [
      "lib/domain/checkpoints/try-files.ts",
      "lib/engine/inference/local-runner.ts",
      "lib/engine/runtime/feeds.ts",
      "lib/engine/runtime/session.ts",
      "lib/engine/runtime/try-model.ts",
    ];
    expect(users.length).toBeGreaterThan(0);
    expect(found.sort()).toEqual(allowed);
  });
});

describe("import rules", () => {
  it("a lower layer does not import a higher one", () => {
    const broken = edges.filter(({ from, to }) => {
      const [own, other] = [layerOf(from), layerOf(to)];
      return own !== undefined && own !== other && !layers[own]!.includes(other ?? "");
    });
    expect(broken.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("the page knows the routes by their types only", () => {
    expect(readSource(typesOfRoutes)).not.toMatch(/^(?:import|export) (?!type\b)/m);
  });

  it("files and folders of the same folder import each other without cycles", () => {
    const levels = new Map<string, Map<string, Set<string>>>();
    for (const { from, to } of edges) {
      // The route table imports every route, and the route of the API document imports the table.
      if (from === "app/api/v1/routes.ts") continue;
      const [own, other] = [partsOf(from), partsOf(to)];
      const depth = own.findIndex((part, i) => part !== other[i]);
      if (depth < 0) continue;
      const folder = own.slice(0, depth).join("/");
      // Tables reference each other in functions, which run after all tables are defined.
      if (folder === "db/schema") continue;
      const graph = levels.get(folder) ?? new Map<string, Set<string>>();
      levels.set(folder, graph);
      graph.set(own[depth]!, (graph.get(own[depth]!) ?? new Set()).add(other[depth]!));
    }
    expect(levels.size).toBeGreaterThan(20);
    const cycles = [...levels].flatMap(([folder, graph]) =>
      cyclesOf(graph).map((cycle) => `in ${folder || "."}: ${cycle}`),
    );
    expect(cycles).toEqual([]);
  });

  it.each(importRules)("$name", ({ from, forbidden, except, reason }) => {
    const subject = sources.filter((file) => from.test(file));
    expect(subject.length).toBeGreaterThan(0);
    const broken = subject.flatMap((file) =>
      imports
        .get(file)!
        .filter((target) => forbidden.test(target) && !except?.test(target))
        .map((target) => `${file} imports ${target}: ${reason}`),
    );
    expect(broken).toEqual([]);
  });

  it("only lib/platform/config reads the environment, so that an invalid value stops the start", () => {
    const readers = sources.filter(
      (file) =>
        !/^(lib\/platform\/config|scripts|server\/supervisor|testing|bench)\//.test(file) &&
        /process\.env\b/.test(readFileSync(path.join(root, file), "utf8")),
    );
    expect(readers).toEqual([]);
  });

  it("the queries of a subject are private to its folder", () => {
    const broken = edges.filter(
      ({ from, to }) =>
        /^lib\/domain\/[^/]+\/queries/.test(to) &&
        !from.startsWith(`${to.split("/").slice(0, 3).join("/")}/`) &&
        !/^(bench|testing)\//.test(from),
    );
    expect(broken.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });
});
