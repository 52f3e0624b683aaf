import { expect, test } from "vitest";
import { checkComments, checkMarkdown, checkTexts } from "./prose.ts";

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

test("reports sentences of Markdown with more than 28 words, across lines", () => {
  expect(checkMarkdown(`${words(28)}.`)).toEqual([]);
  expect(checkMarkdown(`Intro.\n\n${words(15)}\n${words(14)}.`)).toMatchObject([{ line: 3 }]);
});

test("reports words of the list with their line, but not inside of code", () => {
  expect(checkMarkdown("# Title\n\nIt begins anew.\n")).toMatchObject([{ line: 3 }]);
  expect(checkMarkdown("Call `told()`.\n\n```\nanew\n```\n")).toEqual([]);
});

test("reports comments, not code or strings", () => {
  expect(
    checkComments('/** What the reader is told. */\nconst told = "anew";\n// Lest it fails.\n'),
  ).toMatchObject([{ line: 1 }, { line: 1, advice: "Start with a noun or a verb." }, { line: 3 }]);
});

test("reports test names and messages, but not short strings and code", () => {
  const start = "Start with a noun or a verb.";
  const source = 'test("what the caller is told here", () => {});\nconst told = ["told", anew("of which")];';
  expect(checkTexts(source)).toMatchObject([
    { line: 1, advice: "Write report, return, show or log." },
    { line: 1, advice: start },
  ]);
  expect(checkTexts("throw new Error(`The file begins anew.`);")).toHaveLength(1);
});

test("does not join the parts of a table or list to one sentence", () => {
  const list = Array.from({ length: 5 }, () => `- ${words(10)}`).join("\n");
  expect(checkMarkdown(list)).toEqual([]);
});
