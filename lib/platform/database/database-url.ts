import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/config/start-error";
import { environment } from "../config/environment.ts";

const fileIn = (dataDir: string) => path.join(dataDir, "secrets", "database-url");

/** Remembers where the embedded PostgreSQL listens, so that a command beside the running service finds it. */
export function recordDatabaseUrl(dataDir: string, url: string): void {
  const file = fileIn(dataDir);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, url, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * The database in use: `DATABASE_URL`, or the embedded PostgreSQL of the service that runs on this data folder.
 *
 * @throws {StartError} with a sentence for the user where neither is known
 */
export function databaseUrl(): string {
  const { databaseUrl: given, dataDir } = environment();
  if (given !== null) return given;
  try {
    return readFileSync(fileIn(dataDir), "utf8");
  } catch (error) {
    throw new StartError(
      `No database is known: DATABASE_URL is not set, and no service has been started on ${dataDir} (npm start).`,
      { cause: error },
    );
  }
}
