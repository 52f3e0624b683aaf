// Types, lint, unit and database tests, build, browser tests: all of them, in this order, even after a failure.
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { chromiumPath } from "./check/chromium.ts";
import { type Outcome, runPart } from "./check/part.ts";
import { playwrightCounts, vitestCounts } from "./check/reports.ts";
import { failureList, lastLine, summary } from "./check/summary.ts";

const root = path.dirname(import.meta.dirname);
const reports = path.join(root, ".test-data");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports);
const vitestReport = path.join(reports, "vitest.json");
const playwrightReport = path.join(reports, "playwright.json");

const outcomes: Outcome[] = [];
const run = async (...part: Parameters<typeof runPart>) => {
  outcomes.push(await runPart(...part));
};

// The type checker needs the declarations that Next.js writes for pages, styles and routes.
await run("types", [
  ["node_modules/next/dist/bin/next", "typegen"],
  ["node_modules/typescript/bin/tsc", "--noEmit"],
]);
await run("lint", [
  ["node_modules/@biomejs/biome/bin/biome", "check", "."],
  ["scripts/check-prose.ts"],
  ["scripts/fill-lockfile.mjs", "--check"],
]);
await run(
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
);
await run("build", [["scripts/build.ts", "--if-needed"]]);
await run("browser", [["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json"]], {
  environment: () => ({
    CHROMIUM_PATH: chromiumPath(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
  }),
  count: () => playwrightCounts(playwrightReport),
});

console.log(`\n${failureList(outcomes)}${summary(outcomes)}\n\n${lastLine(outcomes)}`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
