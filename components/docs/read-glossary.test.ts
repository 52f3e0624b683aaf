import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readGlossary } from "./read-glossary.ts";

test("reads every term of docs/glossary.md with its meaning and its name on the wire", () => {
  const terms = readGlossary(readFileSync("docs/glossary.md", "utf8"));
  expect(terms).toContainEqual({
    term: "downstream project",
    meaning: "Project that uses this project's predictions",
    onWire: "",
  });
  const upstream = terms.find(({ term }) => term === "upstream project");
  expect(upstream?.onWire).toContain("`dependentProjectCheckpoints`");
  expect(terms.filter(({ term, meaning }) => term === "" || meaning === "")).toEqual([]);
  expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
});
