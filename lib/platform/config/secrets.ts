import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Environment, environment } from "./environment.ts";
import { secretVariables } from "./environment-variables.ts";

/**
 * Returns a random secret that survives restarts. Stores it in `<dataDir>/secrets/<name>`, readable by its owner only.
 * Concurrent processes get the same secret: a temporary file is linked into place, and a link never overwrites.
 *
 * @returns `bytes` random bytes in hexadecimal
 */
export function secretFile(dataDir: string, name: string, bytes = 32): string {
  const folder = path.join(dataDir, "secrets");
  const file = path.join(folder, name);
  const existing = readIfPresent(file);
  if (existing !== null) return existing;

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(aside, randomBytes(bytes).toString("hex"), { mode: 0o600, flush: true });
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return readFileSync(file, "utf8");
}

/** Returns the text of a file; null if the file does not exist. */
export function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Returns the secret that signs session cookies: `AUTH_SECRET`, or a secret generated once in the data folder. */
export function authSecret(): string {
  const { authSecret: given, dataDir } = environment();
  return given ?? secretFile(dataDir, "auth");
}

/** Returns a warning if the database may be shared but the secret belongs to this machine, else null. */
export function ownSecretWarning({ databaseUrl, authSecret: given }: Environment): string | null {
  if (databaseUrl === null || given !== null) return null;
  return "AUTH_SECRET is not set, but DATABASE_URL is: a service on another machine rejects the sessions that this one begins. Set it to the same 32 or more random characters on every machine.";
}

/** Minimum length of a redacted value. Shorter values may be ordinary words of a log line. */
const shortest = 6;

/** Variables with an address whose password is the secret. */
const addresses: ReadonlySet<string> = new Set(["DATABASE_URL", "SMTP_URL"]);

/** Returns the values that no log line may contain: secrets of the environment, and the passwords in its addresses. */
export function secretValues(): string[] {
  const values = [...secretVariables].flatMap((name) => {
    const value = process.env[name]?.trim() ?? "";
    if (!addresses.has(name)) return [value];
    const password = URL.canParse(value) ? new URL(value).password : "";
    return [password, decoded(password)];
  });
  return values.filter((value) => value.length >= shortest);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Malformed percent-encoding: use the text as is.
  }
}
