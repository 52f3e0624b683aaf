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

/** This process's log: JSON lines on standard output. What could be a credential never gets there. */
export function logger(): Logger {
  shared.loggerOfProcess ??= createLogger(output(), { redact: credentials });
  return shared.loggerOfProcess;
}

/** The same log, for lines of fields that are known to hold none: to look for some by name takes as long as all else. */
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
 * From now on lines wait up to 20 ms for others to be written with: a write each, which wakes the process that reads them
 * as well, takes longer than many a call. Whatever tells of trouble is written at once. A process that is killed by force
 * takes what waits with it.
 */
export function gatherLines(): void {
  output().minLength = gatherBytes;
  process.on("exit", () => output().flushSync());
}

let flushIsComing = false;

function flushInTime(line: string): void {
  if (output().minLength === 0) return;
  // The line itself is written after this.
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

/** As pino's own, made once a millisecond. */
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
