import { inspect } from "node:util";
import { EnvironmentError } from "#lib/config/environment-error";
import { StartError } from "#lib/config/start-error";
import { describeError } from "#lib/platform/log/describe-error";
import { redact } from "#lib/platform/log/redact";

/** Ends the process because it cannot go on: with a sentence for what the user can mend, with the stack for the rest, and never with a secret. */
export function reportAndExit(error: unknown): never {
  if (error instanceof EnvironmentError) console.error(`The environment is not right:\n${error.message}`);
  else if (error instanceof StartError) console.error(redact(error.message));
  else console.error(redact(inspect(describeError(error), { depth: 8 })));
  process.exit(1);
}
