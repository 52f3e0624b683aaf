import { existsSync } from "node:fs";
import path from "node:path";
import type { Benchmark } from "./benchmark.ts";

const buildId = path.join(import.meta.dirname, "..", ".next", "BUILD_ID");

/** Returns a benchmark of the service that is skipped unless the web pages are built. */
export const ofService = (run: Benchmark): Benchmark =>
  async function* (settings) {
    if (existsSync(buildId)) yield* run(settings);
    else yield { what: "the service", skipped: "the web pages are not built: npm run build" };
  };
