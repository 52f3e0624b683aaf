import { accessSync, constants, statSync } from "node:fs";
import { StartError } from "#lib/platform/errors/start-errors";
import { makeDataFolder } from "#server/postgres/data-folder";

/**
 * Creates the folder if it is missing.
 *
 * @throws {StartError} with the variable if the path is not a writable folder
 */
export function requireFolder(variable: string, folder: string): void {
  try {
    makeDataFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error("it is a file");
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${variable} names ${folder}, which is not a usable folder (${reason}). Choose one that the service can write to.`,
      { cause: error },
    );
  }
}
