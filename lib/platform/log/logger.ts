import { type Logger, type LoggerOptions, pino } from "pino";
import { environment } from "#lib/platform/config/environment";
import { describeError } from "./describe-error.ts";
import { redact } from "./redact.ts";

type Output = ReturnType<typeof pino.destination> & { minLength: number };

const shared = globalThis as typeof globalThis & {
  loggerOfProcess?: Logger;
  plainLoggerOfProcess?: Logger;
  logOutput?: Output;
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

const output = () => (shared.logOutput ??= pino.destination(1) as Output);

const gatherMs = 20;
const gatherBytes = 8_192;

/**
 * Batches log lines for up to 20 ms. One write per line also wakes the process that reads the log, and takes longer
 * than many calls. Warnings and errors are written at once. A killed process loses its waiting lines.
 */
export function gatherLines(): void {
  output().minLength = gatherBytes;
  process.on("exit", () => output().flushSync());
}

let flushIsComing = false;

function flushInTime(line: string): void {
  if (output().minLength === 0) return;
  // The line is written after this callback.
  if (!line.startsWith(calmLine)) queueMicrotask(() => output().flushSync());
  if (flushIsComing) return;
  flushIsComing = true;
  setTimeout(() => {
    flushIsComing = false;
    output().flushSync();
  }, gatherMs);
}

const calmLine = `{"level":${pino.levels.values.info},`;

let last = { ms: 0, text: "" };

/** Returns pino's timestamp, computed once a millisecond. */
function timestamp(): string {
  const ms = Date.now();
  if (ms !== last.ms) last = { ms, text: `,"time":"${new Date(ms).toISOString()}"` };
  return last.text;
}

function createLogger(stream: Output, more: LoggerOptions = {}): Logger {
  const options: LoggerOptions = {
    level: environment().logLevel,
    base: { pid: process.pid },
    timestamp,
    serializers: { err: describeError },
    hooks: {
      streamWrite: (line) => {
        flushInTime(line);
        return redact(line);
      },
    },
    ...more,
  };
  return pino(options, stream);
}
