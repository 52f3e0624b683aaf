import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

// Each test file that uses the database has a data folder of its own; the run removes it at its end.
process.env.DATA_DIR = mkdtempSync(path.join(inject("runFolder"), "file-"));
process.env.LOG_LEVEL ??= "fatal";
// Out of the way of tests that are about something else; a test of the limits sets its own.
process.env.RATE_LIMIT_PER_MINUTE ??= "1000000000";
process.env.RATE_LIMIT_BURST ??= "1000000000";
process.env.AUTH_FAILURES_PER_MINUTE ??= "1000000000";
