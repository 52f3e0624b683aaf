import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

// Each test file that uses the database has a separate data folder. The run removes it at the end.
process.env.DATA_DIR = mkdtempSync(path.join(inject("runFolder"), "file-"));
process.env.LOG_LEVEL ??= "fatal";
// High limits, so that rate limits do not affect other tests. Tests of the limits set their own values.
process.env.RATE_LIMIT_PER_MINUTE ??= "1000000000";
process.env.RATE_LIMIT_BURST ??= "1000000000";
process.env.AUTH_FAILURES_PER_MINUTE ??= "1000000000";
