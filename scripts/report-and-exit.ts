import { EnvironmentError } from "#lib/config/environment-error";
import { StartError } from "#lib/config/start-error";

/** Ends the process because it cannot go on: with a sentence for what the user can mend, with the stack for the rest. */
export function reportAndExit(error: unknown): never {
  if (error instanceof EnvironmentError) console.error(`The environment is not right:\n${error.message}`);
  else if (error instanceof StartError) console.error(error.message);
  else console.error(error);
  process.exit(1);
}
