import { type Logger, type LoggerOptions, pino } from "pino";
import { environment } from "#lib/platform/config/environment";
import { describeError } from "./describe-error.ts";
import { LogOutput } from "./log-output.ts";
import { redact } from "./redact.ts";

const shared = globalThis as typeof globalThis & {
  loggerOfProcess?: Logger;
  plainLoggerOfProcess?: Logger;
  logOutput?: LogOutput;
};

/** Returns this process's log: JSON lines on standard output, without credentials. */
export function logger(): Logger {
  shared.loggerOfProcess ??= createLogger(output(), { redact: credentials });
  return shared.loggerOfProcess;
}

/**
 * Returns the same log without redaction by field name, for lines known to hold no credentials. That redaction takes as
 * long as the rest of the call.
 */
export function plainLogger(): Logger {
  shared.plainLoggerOfProcess ??= createLogger(output());
  return shared.plainLoggerOfProcess;
}

const credentials = {
  paths: ["password", "*.password", "authorization", "cookie", "headers.authorization", "headers.cookie"],
  censor: "[redacted]",
};

const output = () => (shared.logOutput ??= new LogOutput(`{"level":${pino.levels.values.info},`));

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
