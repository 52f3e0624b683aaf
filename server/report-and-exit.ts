import { inspect } from "node:util";
import { EnvironmentError, StartError } from "#lib/platform/errors/start-errors";
import { describeError } from "#lib/platform/log/describe-error";
import { redact } from "#lib/platform/log/redact";

/**
 * Ends the process after a fatal error. Prints a message for errors that the user can fix, else the stack. Redacts
 * secrets.
 */
export function reportAndExit(error: unknown): never {
  if (error instanceof EnvironmentError) console.error(`Invalid environment variables:\n${error.message}`);
  else if (error instanceof StartError) console.error(redact(error.message));
  else console.error(redact(inspect(describeError(error), { depth: 8 })));
  process.exit(1);
}
