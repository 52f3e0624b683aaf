import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Counts } from "./part.ts";

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
});

/** Counts of Vitest's JSON report, or null where there is none. */
export function vitestCounts(file: string): Counts | null {
  const report = read(file, vitestReport);
  return (
    report && {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  );
}

/** Counts of Playwright's JSON report, or null where there is none. */
export function playwrightCounts(file: string): Counts | null {
  const stats = read(file, playwrightReport)?.stats;
  return (
    (stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }) ??
    null
  );
}

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null; // The run broke off before it wrote one; its exit code says so.
  }
  return schema.parse(JSON.parse(text));
}
