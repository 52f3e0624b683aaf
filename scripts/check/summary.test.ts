import { expect, test } from "vitest";
import type { Outcome } from "./part.ts";
import { failureList, lastLine, summary } from "./summary.ts";

const part = (name: string, passed: boolean, counts: [number, number, number] | null): Outcome => ({
  name,
  passed,
  counts: counts && { passed: counts[0], failed: counts[1], skipped: counts[2], failures: [] },
  durationMs: 1234,
});

test("the last line adds up the tests of all parts", () => {
  expect(
    lastLine([part("types", true, null), part("tests", true, [10, 0, 1]), part("browser", true, [3, 0, 0])]),
  ).toBe("13 passed, 0 failed");
  expect(lastLine([part("tests", false, [10, 2, 0]), part("browser", false, [3, 1, 0])])).toBe(
    "13 passed, 3 failed",
  );
});

test("counts a part that fails without a failed test as one failure", () => {
  expect(lastLine([part("types", false, null)])).toBe("0 passed, 1 failed");
  expect(lastLine([part("tests", false, [10, 0, 0])])).toBe("10 passed, 1 failed");
});

test("prints a line per part with verdict, time and tests, including skipped ones", () => {
  expect(summary([part("types", false, null), part("browser", true, [3, 0, 2])])).toBe(
    ["types    FAILED     1.2 s", "browser  passed     1.2 s  3 passed, 0 failed, 2 skipped"].join("\n"),
  );
});

test("repeats failures at the end, without colours and shortened", () => {
  const failures = [
    { place: "lib/a.test.ts", title: "adds", message: "\u001b[31mexpected 1\nto be 2\u001b[39m" },
    { place: "lib/b.test.ts", title: "", message: "x".repeat(9_999) },
  ];
  const outcome: Outcome = {
    name: "tests",
    passed: false,
    counts: { passed: 0, failed: 1, skipped: 0, failures },
    durationMs: 1,
  };
  expect(failureList([outcome])).toBe(
    `FAILED lib/a.test.ts › adds\n  expected 1\n  to be 2\n\nFAILED lib/b.test.ts\n  ${"x".repeat(1500)}\n\n`,
  );
  expect(failureList([part("types", false, null), part("tests", true, [3, 0, 0])])).toBe("");
});
