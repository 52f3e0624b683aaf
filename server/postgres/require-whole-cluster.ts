import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/platform/errors/start-errors";
import { postgresMajor } from "./binaries.ts";

/**
 * Checks that a folder holds no cluster, or a whole one with its password, of the major version of the programs. Otherwise a start would write new secrets,
 * which open nothing, beside data that can still be restored.
 *
 * @throws {StartError} with the missing file and what to restore; nothing has been written
 */
export function requireWholeCluster(folder: string, dataDir: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  if (!existsSync(path.join(folder, "PG_VERSION"))) {
    throw new StartError(
      `The database in ${folder} is incomplete: PG_VERSION is missing. Restore the whole folder from a copy of it, or move it away and restore a backup (npm run restore). Nothing was changed.`,
    );
  }
  const version = readFileSync(path.join(folder, "PG_VERSION"), "utf8").trim();
  if (version !== postgresMajor()) {
    throw new StartError(
      `The database in ${folder} has the format of PostgreSQL ${version}, and this version of the service has PostgreSQL ${postgresMajor()}. Start the version of the service that you used before, back up with it (npm run backup), and restore the backup into a new DATA_DIR with this version. See "Versions and migrations" in docs/operations.md. Nothing was changed.`,
    );
  }
  const password = path.join(dataDir, "secrets", "database-password");
  if (!existsSync(password)) {
    throw new StartError(
      `${password} is missing, and the database in ${folder} opens only with it. Restore the folder ${path.dirname(password)} from a copy of the data folder. Nothing was changed.`,
    );
  }
}
