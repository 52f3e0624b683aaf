import { chmodSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/**
 * Creates the missing folders of a path with mode 0755 regardless of the umask, so that PostgreSQL's user can enter
 * them. Existing folders stay unchanged. Secret files have their own modes.
 */
export function makeDataFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeDataFolder(path.dirname(folder));
  // Not recursive: in /proc, that would loop forever.
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}
