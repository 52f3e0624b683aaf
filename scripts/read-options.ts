import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { StartError } from "#lib/platform/errors/start-errors";

/** Parses the options of a command. @throws {StartError} with the usage */
export function readOptions<Options extends ParseArgsOptionsConfig>(options: Options, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n${usage}`, { cause });
  }
}

/** Returns the only option of a command, a text. @throws {StartError} with the usage */
export function requiredOption(name: string, usage: string): string {
  const value = readOptions({ [name]: { type: "string" } }, usage)[name];
  if (typeof value !== "string") throw new StartError(usage);
  return value;
}
