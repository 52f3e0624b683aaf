import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { setEnvironment } from "./set-environment.ts";

setEnvironment({
  LOG_LEVEL: "fatal",
  // High limits, so that rate limits do not affect other tests. Tests of the limits set their own values.
  RATE_LIMIT_PER_MINUTE: "1000000000",
  RATE_LIMIT_BURST: "1000000000",
  AUTH_FAILURES_PER_MINUTE: "1000000000",
  ...process.env,
  // Each test file that uses the database has a separate data folder. The run removes it at the end.
  DATA_DIR: mkdtempSync(path.join(inject("runFolder"), "file-")),
});
