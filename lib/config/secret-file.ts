import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A random secret that outlives restarts, kept in `<dataDir>/secrets/<name>` and readable by its owner alone.
 * Two processes that ask at once get the same one: it is written aside and linked, and a link never overwrites.
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

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
