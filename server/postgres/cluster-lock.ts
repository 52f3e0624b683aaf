import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/config/start-error";
import { makeDataFolder } from "./data-folder.ts";
import { processIdentity } from "./process-identity.ts";

/**
 * Claims a data folder for this process, so that a second start on it is refused instead of stopping the first
 * one's database. A claim whose process is gone counts for nothing.
 *
 * @returns gives the claim back
 * @throws {StartError} with a sentence for the user where another process holds it
 */
export function claimDataDir(dataDir: string): () => void {
  makeDataFolder(dataDir);
  const file = path.join(dataDir, "running");
  const mine = processIdentity(process.pid) ?? String(process.pid);
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, mine);
  try {
    for (;;) {
      if (tryLink(aside, file)) return () => rmSync(file, { force: true });
      const holder = readFileSync(file, "utf8");
      const pid = Number.parseInt(holder, 10);
      if (holder === mine || (pid > 0 && processIdentity(pid) === holder)) {
        throw new StartError(
          `The service already runs on ${dataDir} (process ${pid}): stop it first, or set DATA_DIR to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(aside, { force: true });
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
