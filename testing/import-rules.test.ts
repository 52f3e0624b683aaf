import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { importRules } from "./import-rules.ts";

const root = path.resolve(import.meta.dirname, "..");
const isTest = /\.test\.tsx?$/;
const sources = globSync("{app,components,lib,server,db,demo,scripts,bench,testing}/**/*.{ts,tsx}", {
  cwd: root,
}).filter((file) => !isTest.test(file));
const specifiers =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** What a file imports: repository paths for our own modules, names for packages. */
function importsOf(file: string, { lazy = true } = {}): string[] {
  const found: string[] = [];
  for (const match of readFileSync(path.join(root, file), "utf8").matchAll(specifiers)) {
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    if (match[3] !== undefined && !lazy) continue;
    if (name.startsWith(".")) found.push(path.posix.join(path.posix.dirname(file), name));
    else found.push(name.replace(/^#/, ""));
  }
  return found;
}

describe("import rules", () => {
  it.each(importRules)("$name", ({ from, forbidden, except, reason }) => {
    const subject = sources.filter((file) => from.test(file));
    expect(subject.length).toBeGreaterThan(0);
    const broken = subject.flatMap((file) =>
      importsOf(file)
        .filter((target) => forbidden.test(target) && !except?.test(target))
        .map((target) => `${file} imports ${target}: ${reason}`),
    );
    expect(broken).toEqual([]);
  });

  it("the environment is read by lib/config alone, so that a wrong value is refused at the start", () => {
    const readers = sources.filter(
      (file) =>
        !/^(lib\/(platform\/)?config|scripts|server\/supervisor|testing|bench)\//.test(file) &&
        /process\.env\b/.test(readFileSync(path.join(root, file), "utf8")),
    );
    expect(readers).toEqual([]);
  });

  it("no subject imports another subject's queries: its operations are its face", () => {
    const broken = sources.flatMap((file) =>
      importsOf(file)
        .filter(
          (target) =>
            /^lib\/(domain\/)?[^/]+\/queries/.test(target) &&
            !file.startsWith(`${path.dirname(target)}/`) &&
            !/^lib\/(scenarios|domain\/comparison)\//.test(file),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("modules import each other without circles", () => {
    const byName = new Map(sources.map((file) => [file.replace(/\.tsx?$/, ""), file]));
    const edges = new Map(
      sources.map((file) => [
        file,
        // What is loaded when first needed waits for nobody.
        importsOf(file, { lazy: false }).flatMap((target) => byName.get(target.replace(/\.tsx?$/, "")) ?? []),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, trail: string[]) => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
      if (done.has(file) || trail.includes(file)) return;
      for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    // The schema's tables refer to each other; the references are functions, called when all are defined.
    expect(circles.filter((circle) => !circle.startsWith("db/schema/"))).toEqual([]);
  });
});
