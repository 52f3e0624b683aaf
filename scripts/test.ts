// Types, lint, unit and database tests, build, browser tests: all of them, even after a failure.
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { chromiumPath } from "./check/chromium.ts";
import { runPart } from "./check/part.ts";
import { playwrightCounts, vitestCounts } from "./check/reports.ts";
import { failureList, lastLine, summary } from "./check/summary.ts";

const root = path.dirname(import.meta.dirname);
const reports = path.join(root, ".test-data");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports);
const vitestReport = path.join(reports, "vitest.json");
const playwrightReport = path.join(reports, "playwright.json");

// The type checker needs the declarations that Next.js writes for pages, styles and routes. A build writes them as well.
const types = await runPart("types", [
  ["node_modules/next/dist/bin/next", "typegen"],
  ["node_modules/typescript/bin/tsc", "--noEmit"],
]);

const [checks, build] = await Promise.all([
  (async () => [
    await runPart("lint", [
      ["node_modules/@biomejs/biome/bin/biome", "check", "."],
      ["scripts/check-prose.ts"],
      ["scripts/fill-lockfile.mjs", "--check"],
    ]),
    await runPart(
      "tests",
      [
        [
          "node_modules/vitest/vitest.mjs",
          "run",
          "--reporter=default",
          "--reporter=json",
          `--outputFile.json=${vitestReport}`,
        ],
      ],
      { count: () => vitestCounts(vitestReport) },
    ),
  ])(),
  runPart("build", [["scripts/build.ts", "--if-needed"]]),
]);
// After the other tests, because a page that waits for the processor exceeds the time limits of its test.
const browser = await runPart(
  "browser",
  [["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json"]],
  {
    environment: () => ({
      CHROMIUM_PATH: chromiumPath(),
      PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
    }),
    count: () => playwrightCounts(playwrightReport),
  },
);
const outcomes = [types, ...checks, build, browser];

console.log(`\n${failureList(outcomes)}${summary(outcomes)}\n\n${lastLine(outcomes)}`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
