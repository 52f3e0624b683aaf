import { type Logger, pino } from "pino";
import { environment } from "#lib/config/environment";
import { describeError } from "./describe-error.ts";

/** A line of the log without the API keys that may stand in it. */
export const redactKeys = (line: string) => line.replace(/mps_[0-9A-Za-z]{8,}/g, "mps_[redacted]");

const shared = globalThis as typeof globalThis & { loggerOfProcess?: Logger };

/** This process's log: JSON lines on standard output. What could be a credential never gets there. */
export function logger(): Logger {
  shared.loggerOfProcess ??= pino({
    level: environment().logLevel,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      paths: ["password", "*.password", "authorization", "cookie", "headers.authorization", "headers.cookie"],
      censor: "[redacted]",
    },
    hooks: { streamWrite: redactKeys },
  });
  return shared.loggerOfProcess;
}
