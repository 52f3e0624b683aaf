import path from "node:path";
import { z } from "zod";
import { readIfPresent } from "#lib/platform/config/secrets";
import type { Counts, Failure } from "./part.ts";

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })),
    }),
  ),
});
type Suite = { specs: z.infer<typeof playwrightSpec>[]; suites?: Suite[] | undefined };
const playwrightSuite: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(playwrightSpec), suites: z.array(playwrightSuite).optional() }),
);
const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  suites: z.array(playwrightSuite),
});

/** Reads Vitest's JSON report; null without a report. A file that cannot be loaded counts as a failure. */
export function vitestCounts(file: string): Counts | null {
  const report = read(file, vitestReport);
  if (report === null) return null;
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
    const place = path.relative(process.cwd(), name);
    const failed = assertionResults.filter((result) => result.status === "failed");
    if (failed.length === 0 && status === "failed") return [{ place, title: "", message }];
    return failed.map((result) => ({
      place,
      title: result.fullName,
      message: result.failureMessages?.join("\n") ?? "",
    }));
  });
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped, failures };
}

/** Reads Playwright's JSON report; null without a report. */
export function playwrightCounts(file: string): Counts | null {
  const report = read(file, playwrightReport);
  if (report === null) return null;
  const failures = report.suites.flatMap(specsOf).flatMap((spec): Failure[] => {
    if (spec.ok) return [];
    const errors = spec.tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
    const message = errors.map((error) => error.message ?? "").join("\n");
    return [{ place: spec.file, title: spec.title, message }];
  });
  const { expected, flaky, unexpected, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected, skipped, failures };
}

function specsOf({ specs, suites = [] }: Suite): Suite["specs"] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  const text = readIfPresent(file);
  // Null if the run ended before it wrote a report. Its exit code shows the failure.
  return text === null ? null : schema.parse(JSON.parse(text));
}
