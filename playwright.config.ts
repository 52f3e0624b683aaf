import path from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/check/chromium.ts";

const executablePath = findChromium();

// Tests change a service and its database, so each worker has its own service (see global setup), and
// the tests of a file run one after the other. Tests find theirs at `E2E_BASE_URL`, and its data folder at `E2E_DATA_DIR`.
const worker = process.env.TEST_PARALLEL_INDEX;
if (worker !== undefined) {
  for (const name of ["E2E_BASE_URL", "E2E_DATA_DIR"]) process.env[name] = process.env[`${name}_${worker}`];
}

// Two dozen processes of the service compile the same code. A web process starts in a third of the processor time with
// the code of an earlier one.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, ".test-data", "compile-cache");

/** Tests of processes that they start, stop or cut off. */
const ofProcesses =
  /\/(bystander|crash|downloads|framing|mail|memory|outage|predict-adapters|several-hosts|sizes|stopping|supervisor|two-processes-\w+)\.spec\.ts$/;

// Chromium loads two further pages for the address field of each window. A visit with them takes 6.3 s of processor time,
// without them 3.9 s. A second list of disabled features replaces Playwright's, so this one repeats what may change a page.
const disabledFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "DestroyProfileOnBrowserClose",
  "AimEnabled",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PreconnectToSearch",
];

/** How many times slower than this machine's processor the pages run. */
const slowness = Number(process.env.SLOW ?? 1);

export default defineConfig({
  testDir: "e2e",
  projects: [
    // They wait for much of their time. One at a time, they leave the processor to the pages of the other worker.
    { name: "processes", testMatch: ofProcesses, workers: 1 },
    { name: "pages", testMatch: "**/*.spec.ts", testIgnore: ofProcesses },
  ],
  globalSetup: "./e2e/global-setup.ts",
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // A test signs in, trains models and waits for jobs; on a busy machine each step takes seconds.
  timeout: 120_000 * slowness,
  // Pages wait for jobs, which a worker starts within a second. The other tests run meanwhile.
  expect: { timeout: 30_000 * slowness },
  reporter: "list",
  use: {
    baseURL: process.env.E2E_BASE_URL,
    // Animations take a tenth of the processor time, and a message that fades out has too little contrast. `analyst.spec.ts`
    // runs with motion, as most people see the pages.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // A seventh of all processor time where each test is traced; a test that fails is run again with --trace on.
    trace: "off",
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      args: [
        "--no-sandbox",
        // Nothing here is drawn in three dimensions; to emulate a graphics card takes a fifth of all processor time.
        "--disable-gpu",
        `--disable-features=${disabledFeatures.join()}`,
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
