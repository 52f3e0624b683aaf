import path from "node:path";
import { defineConfig } from "vitest/config";
import { nodeOptions } from "./server/node-options.ts";
import { withFaultPoints } from "./testing/fault-points.ts";

const folders = "{lib,server,db,demo,scripts,testing,components,app}";

// Threads and child processes of tests strip types only once.
process.env.NODE_COMPILE_CACHE ??= path.resolve(".test-data", "compile-cache");

// All tests stand beside their modules. Tests that need PostgreSQL end in `.db.test.ts` and form a separate project, so
// that a run without them starts no database.
export default defineConfig({
  plugins: [{ name: "fault points", enforce: "pre", transform: (code, id) => withFaultPoints(id, code) }],
  test: {
    environment: "node",
    // Long enough for tests of up to 8 s on a slow machine. Longer tests name their own timeout and the reason.
    testTimeout: 60_000,
    // Hooks create a database and train the models of a file.
    hookTimeout: 120_000,
    // One more than the two processors of a small machine, because tests of the database often wait for it.
    maxWorkers: 3,
    execArgv: nodeOptions,
    isolate: false,
    setupFiles: ["testing/new-state.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [`${folders}/**/*.test.{ts,tsx}`],
          exclude: ["**/*.db.test.*"],
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: [`${folders}/**/*.db.test.{ts,tsx}`],
          globalSetup: ["testing/start-postgres.ts", "testing/provide-openapi.ts"],
          // After `setupFiles` of all projects.
          setupFiles: ["testing/data-dir.ts"],
        },
      },
    ],
  },
});
