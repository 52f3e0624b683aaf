import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

// Each test file that uses the database has a data folder of its own; the run removes it at its end.
process.env.DATA_DIR = mkdtempSync(path.join(inject("runFolder"), "file-"));
process.env.LOG_LEVEL ??= "fatal";
