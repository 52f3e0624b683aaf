import { defineConfig } from "vitest/config";
import { nodeOptions } from "./server/node-options.ts";

const folders = "{lib,server,db,demo,scripts,testing,components,app}";

// Pure tests stand beside their modules; tests that need PostgreSQL stand there too and end in `.db.test.ts`. They are
// a project of their own, so that a run without them starts no database.
export default defineConfig({
  test: {
    environment: "node",
    // Long enough for tests of up to 8 s on a busy machine. Longer tests name their own timeout and the reason.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One more than the processors that it is made for: tests of the database wait for it often.
    maxWorkers: 3,
    execArgv: nodeOptions,
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
          setupFiles: ["testing/data-dir.ts"],
        },
      },
    ],
  },
});
