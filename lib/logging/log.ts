import pino, { type Logger } from "pino";
import { environment } from "#lib/config/environment";

const shared = globalThis as typeof globalThis & { logOfProcess?: Logger };

/** This process's log: one JSON object a line on standard output, from `LOG_LEVEL` upwards. */
export function log(): Logger {
  shared.logOfProcess ??= pino({ level: environment().logLevel });
  return shared.logOfProcess;
}
