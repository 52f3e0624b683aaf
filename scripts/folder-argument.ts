import path from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "#lib/platform/errors/start-errors";

/** Returns the only option of a command, the path of a folder. @throws {StartError} with the usage */
export function folderArgument(option: string, usage: string): string {
  let given: string | undefined;
  try {
    given = parseArgs({ options: { [option]: { type: "string" } } }).values[option] as string | undefined;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${usage}`);
  }
  if (given === undefined) throw new StartError(usage);
  return path.resolve(given);
}
