import { accessSync, constants, statSync } from "node:fs";
import { StartError } from "#lib/config/start-error";
import { makeDataFolder } from "#server/postgres/data-folder";

/** Makes the folder where it is missing. @throws {StartError} naming the variable where it cannot be used as one */
export function requireFolder(variable: string, folder: string): void {
  try {
    makeDataFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error("it is a file");
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${variable} names ${folder}, which cannot be used as a folder (${reason}): name one that the service may write to.`,
      { cause: error },
    );
  }
}
