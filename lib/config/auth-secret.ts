import { type Environment, environment } from "#lib/platform/config/environment";
import { secretFile } from "./secret-file.ts";

/** Signs session cookies: `AUTH_SECRET`, or one that is generated once and kept in the data folder. */
export function authSecret(): string {
  const { authSecret: given, dataDir } = environment();
  return given ?? secretFile(dataDir, "auth");
}

/** What is to be said where the database may be shared and the secret is this machine's own; null where all is well. */
export function ownSecretWarning({ databaseUrl, authSecret: given }: Environment): string | null {
  if (databaseUrl === null || given !== null) return null;
  return "AUTH_SECRET is not set, but DATABASE_URL is: a service on another machine refuses the sessions that this one begins. Set it to the same 32 or more random characters on every machine.";
}
