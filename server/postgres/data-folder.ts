import { chmodSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/**
 * Makes the missing part of a path with mode 0755 whatever the umask says, so that PostgreSQL's user can pass through
 * it; existing folders stay as they are. What is secret below has modes of its own.
 */
export function makeDataFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeDataFolder(path.dirname(folder));
  // Not recursive: in /proc, that would try for ever.
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}
