import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { environment } from "../config/environment.ts";
import { StartError } from "../errors/start-errors.ts";

const fileIn = (dataDir: string) => path.join(dataDir, "secrets", "database-url");

/** Records the address of the embedded PostgreSQL, so that other commands find it while the service runs. */
export function recordDatabaseUrl(dataDir: string, url: string): void {
  const file = fileIn(dataDir);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, url, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * Returns the URL of the database: `DATABASE_URL`, or the embedded PostgreSQL of the service on this data folder.
 *
 * @throws {StartError} if neither is known
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
