import { expect, test } from "vitest";
import { printProgress } from "./print-progress.ts";

function progressOf(isTTY: boolean) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const output = { isTTY, write: (text: string) => written.push(text) > 0 };
  return { written, clock, tell: printProgress(output, () => clock.ms) };
}

test("a terminal sees each step in the same line, which is gone at the end", () => {
  const { written, tell } = progressOf(true);
  for (const text of ["1 of 2", "2 of 2"]) tell(text);
  tell.end();
  expect(written).toEqual(["\r\x1b[K1 of 2", "\r\x1b[K2 of 2", "\r\x1b[K"]);
});

test("a log gets a line every ten seconds, and none of what is done sooner", () => {
  const { written, clock, tell } = progressOf(false);
  for (let step = 1; step <= 250; step++) {
    clock.ms += 100;
    tell(`${step} of 250`);
  }
  tell.end();
  expect(written).toEqual(["100 of 250\n", "200 of 250\n"]);
});
