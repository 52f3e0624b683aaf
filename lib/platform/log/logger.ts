import { writeSync } from "node:fs";
import { type Logger, type LoggerOptions, pino } from "pino";
import { environment } from "#lib/platform/config/environment";
import { perProcess } from "#lib/platform/process/per-process";
import { describeError } from "./describe-error.ts";
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

const gatherMs = 20;
const gatherBytes = 8_192;
const retryMs = 10;

/**
 * Standard output for log lines. Pino's own output repeats a failed write for ever when it is flushed, so that a process
 * whose reader has died, or whose log file is on a full disk, would never end. `LogOutput` drops the lines.
 */
class LogOutput {
  readonly #calmStart: string;
  #waiting = "";
  #gathers = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param calmStart prefix of lines that may wait after `gather` was called */
  constructor(calmStart: string) {
    this.#calmStart = calmStart;
  }

  /**
   * Batches lines for up to 20 ms. One write per line also wakes the process that reads the log, and takes longer than
   * many calls. Warnings and errors are written at once. A killed process loses its waiting lines.
   */
  gather(): void {
    this.#gathers = true;
    process.on("exit", () => this.#flush());
  }

  write(line: string): void {
    this.#waiting += line;
    const mayWait = this.#gathers && line.startsWith(this.#calmStart) && this.#waiting.length < gatherBytes;
    if (mayWait) this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
    else this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let bytes = Buffer.from(this.#waiting);
    this.#waiting = "";
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(1, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        // The pipe is full.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
      }
    }
  }
}
