import { expect, test } from "vitest";
import { printProgress } from "./print-progress.ts";

function progressOf(isTTY: boolean) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const output = { isTTY, write: (text: string) => written.push(text) > 0 };
  return { written, clock, print: printProgress(output, () => clock.ms) };
}

test("a terminal sees each step in the same line, which is gone at the end", () => {
  const { written, print } = progressOf(true);
  for (const text of ["1 of 2", "2 of 2"]) print(text);
  print.end();
  expect(written).toEqual(["\r\x1b[K1 of 2", "\r\x1b[K2 of 2", "\r\x1b[K"]);
});

test("a log gets a line every ten seconds, and none of what is done sooner", () => {
  const { written, clock, print } = progressOf(false);
  for (let step = 1; step <= 250; step++) {
    clock.ms += 100;
    print(`${step} of 250`);
  }
  print.end();
  expect(written).toEqual(["100 of 250\n", "200 of 250\n"]);
});
