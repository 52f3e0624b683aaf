import { linkSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readIfPresent } from "#lib/platform/config/secrets";
import { StartError } from "#lib/platform/errors/start-errors";
import { makeDataFolder } from "./data-folder.ts";
import { processIdentity } from "./process-identity.ts";

/**
 * Claims a data folder for this process. A second start on it fails instead of stopping the first one's database.
 * Ignores the claim of a dead process.
 *
 * @returns a function that releases the claim
 * @throws {StartError} if a process holds the claim
 */
export function claimDataDir(dataDir: string): () => void {
  makeDataFolder(dataDir);
  const file = path.join(dataDir, "running");
  const identity = processIdentity(process.pid) ?? String(process.pid);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, identity);
  try {
    for (;;) {
      if (tryLink(temporary, file)) return () => rmSync(file, { force: true });
      const holder = readIfPresent(file);
      if (holder === null) continue; // The holder has released it.
      const pid = Number.parseInt(holder, 10);
      if (holder === identity || (pid > 0 && processIdentity(pid) === holder)) {
        throw new StartError(
          `The service already runs on ${dataDir} (process ${pid}). Stop it first, or set DATA_DIR to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
