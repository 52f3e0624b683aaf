import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
const files = execFileSync("git", list, { encoding: "utf8" }).trim().split("\n");
const folders = new Set(files.flatMap(foldersOf));
const documents = files.filter((file) => /^(?:[A-Z]+\.md|docs\/.*\.md|db\/migrations\/.*\.sql)$/.test(file));
const tops = "app|bench|components|db|demo|deploy|docs|e2e|lib|public|scripts|server|testing";

/** A path in code marks or, in SQL, anywhere; and the target of a relative link. */
const named = new RegExp(
  `\`((?:${tops})/[^\`\\s]*)\`|\\]\\((?!https?:|#)([^)#]+)|((?:${tops})/[\\w/.-]+\\.ts)`,
  "g",
);

function foldersOf(file: string): string[] {
  const parent = path.posix.dirname(file);
  return parent === "." ? [] : [parent, ...foldersOf(parent)];
}

/** Returns the paths that a document names and that no file or folder has. */
function deadPaths(document: string, text: string): string[] {
  return [...text.matchAll(named)].flatMap(([, code, link, plain]) => {
    const target = code ?? plain ?? path.posix.join(path.posix.dirname(document), link!);
    const exact = target.replace(/\/$/, "");
    // A pattern such as `app/api/v1/…/route.ts` or `lib/*-tasks.ts` names no single file.
    const isKnown = /[…*<>{}]/.test(exact) || files.includes(exact) || folders.has(exact);
    return isKnown || files.some((file) => file.startsWith(`${exact}.`)) ? [] : [target];
  });
}

test("finds dead paths in code marks and links", () => {
  expect(deadPaths("docs/a.md", "`lib/no.ts`, `lib/api/`, [b](scaling.md) and [c](../none.md)")).toEqual([
    "lib/no.ts",
    "none.md",
  ]);
});

test.each(documents)("%s names only paths that exist, except in a decision of the past", (document) => {
  const dead = deadPaths(document, readFileSync(document, "utf8"));
  // A replaced decision names the files of its time, but its links must still lead to a file.
  const isReplaced = document.startsWith("docs/decisions/replaced/");
  expect(isReplaced ? dead.filter((target) => target.startsWith("docs/decisions/")) : dead).toEqual([]);
});
