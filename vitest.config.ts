import { defineConfig } from "vitest/config";

// Pure tests stand beside their modules; tests that need PostgreSQL stand there too and end in `.db.test.ts`.
export default defineConfig({
  test: {
    include: ["{lib,db,scripts,testing,components,app}/**/*.test.{ts,tsx}"],
    environment: "node",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
