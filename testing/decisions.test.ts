import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = "docs/decisions";
const decisionsIn = (path: string) => readdirSync(path).filter((file) => /^\d{4}-.*\.md$/.test(file));
const current = decisionsIn(folder);
const replaced = decisionsIn(`${folder}/replaced`);

/** Returns the targets of the links to decisions in a text, such as `0109-fit-on-all-rows.md`. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#]*\d{4}-[^)#]*\.md)\)/g)].map(([, target]) => target!);
}

test("the index lists each current decision once, by its title", () => {
  const index = readFileSync(`${folder}/README.md`, "utf8");
  expect(linksOf(index).toSorted()).toEqual(current);
  for (const file of current) {
    const [, number, title] = /^# (\d{4}) (.*)$/m.exec(readFileSync(`${folder}/${file}`, "utf8"))!;
    expect(index).toContain(`[${number}](${file}) ${title}\n`);
    expect(file.slice(0, 4)).toBe(number);
  }
});

test("at most 60 decisions are current, and no two have one number", () => {
  expect(current.length).toBeLessThanOrEqual(60);
  const numbers = [...current, ...replaced].map((file) => file.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each(replaced)("%s says at its top which decision replaces it", (file) => {
  const [, text] = readFileSync(`${folder}/replaced/${file}`, "utf8").split("\n\n");
  expect(text).toMatch(/^\*\*Status:\*\* replaced by \[\d{4}\]\(/);
});

test.each(current)("%s says at its top whether it is replaced in part, and by a current decision", (file) => {
  const text = readFileSync(`${folder}/${file}`, "utf8");
  const status = /^\*\*Status:\*\* [^\n]*(?:\n[^\n]+)*/m.exec(text)?.[0];
  expect(status).toMatch(/accepted, \d{4}-\d\d-\d\d/);
  expect(status).not.toMatch(/\*\* replaced by/);
  const partly = /partly replaced by \[(\d{4})\]\(([^)]*)\)/.exec(status!);
  // The first line after the title names what no longer holds. Otherwise readers may take it for a rule of today.
  if (partly) {
    expect(text.split("\n\n")[1]).toContain("partly replaced by");
    expect(current).toContain(partly[2]);
  }
});
