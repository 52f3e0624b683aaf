import { type Environment, environment } from "./environment.ts";
import { secretFile } from "./secret-file.ts";
import { StartError } from "./start-error.ts";

/** Signs session cookies: `AUTH_SECRET`, or one that is generated once and kept in the data folder. */
export function authSecret(): string {
  const { authSecret: given, dataDir } = environment();
  return given ?? secretFile(dataDir, "auth");
}

/**
 * For processes that are not started by a supervisor. Where the database is shared, a secret of one machine's own would
 * refuse the sessions that the other machines have begun.
 *
 * @throws {StartError}
 */
export function requireSharedSecret({ databaseUrl, authSecret: given }: Environment): void {
  if (databaseUrl === null || given !== null) return;
  throw new StartError(
    "AUTH_SECRET is not set, but DATABASE_URL is: set AUTH_SECRET to the same 32 or more random characters on every machine, or sessions of one are refused by the others.",
  );
}
