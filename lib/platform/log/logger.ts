import { type Logger, type LoggerOptions, pino } from "pino";
import { environment } from "#lib/platform/config/environment";
import { perProcess } from "#lib/platform/process/per-process";
import { describeError } from "./describe-error.ts";
import { LogOutput } from "./log-output.ts";
import { redact } from "./redact.ts";

/** Returns this process's log: JSON lines on standard output, without credentials. */
export const logger = perProcess("loggerOfProcess", () => createLogger(output(), { redact: credentials }));

/**
 * Returns the same log without redaction by field name, for lines known to hold no credentials. That redaction takes as
 * long as the rest of the call.
 */
export const plainLogger = perProcess("plainLoggerOfProcess", () => createLogger(output()));

const credentials = {
  paths: ["password", "*.password", "authorization", "cookie", "headers.authorization", "headers.cookie"],
  censor: "[redacted]",
};

const output = perProcess("logOutput", () => new LogOutput(`{"level":${pino.levels.values.info},`));

/** Batches log lines of less than a warning for up to 20 ms. */
export const gatherLines = (): void => output().gather();

let last = { ms: 0, text: "" };

/** Returns pino's timestamp, computed once a millisecond. */
function timestamp(): string {
  const ms = Date.now();
  if (ms !== last.ms) last = { ms, text: `,"time":"${new Date(ms).toISOString()}"` };
  return last.text;
}

function createLogger(stream: LogOutput, more: LoggerOptions = {}): Logger {
  const options: LoggerOptions = {
    level: environment().logLevel,
    base: { pid: process.pid },
    timestamp,
    serializers: { err: describeError },
    hooks: {
      streamWrite: redact,
    },
    ...more,
  };
  return pino(options, stream);
}
