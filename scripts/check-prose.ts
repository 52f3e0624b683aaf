// npm run lint: checks comments, test names, messages and Markdown against the rules of style (scripts/check/prose.ts).

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { checkComments, checkMarkdown, checkTexts } from "./check/prose.ts";

const list = [
  "ls-files",
  "-z",
  "--cached",
  "--others",
  "--exclude-standard",
  "*.md",
  "*.ts",
  "*.tsx",
  "*.mjs",
];
const files = execFileSync("git", list, { encoding: "utf8" })
  .split("\0")
  // The files with the rules contain the forbidden words.
  .filter((file) => file !== "" && existsSync(file) && !/^scripts\/check\/prose/.test(file));
let count = 0;
for (const file of files) {
  const text = readFileSync(file, "utf8");
  for (const { line, text: sentence, advice } of file.endsWith(".md")
    ? checkMarkdown(text)
    : [...checkComments(text), ...checkTexts(text)]) {
    console.log(`${file}:${line}: ${advice} ${sentence}`);
    count++;
  }
}
if (count > 0) {
  console.log(`${count} places break the rules of style (docs/glossary.md, scripts/check/prose.ts).`);
  process.exitCode = 1;
}
