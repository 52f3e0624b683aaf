import { type Logger, pino } from "pino";
import { environment } from "#lib/config/environment";
import { describeError } from "./describe-error.ts";
import { redact } from "./redact.ts";

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
    hooks: { streamWrite: redact },
  });
  return shared.loggerOfProcess;
}
