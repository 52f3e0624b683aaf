import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/platform/errors/start-errors";
import { type Account, canEnter } from "./account.ts";

const publicHome = "/var/lib/model-prediction-service";

/**
 * Returns a folder outside of all home directories, for files that an account cannot reach in the data folder or the
 * checkout. Only root needs it. It is in `/var/lib`, because temporary folders do not survive restarts and clean-ups.
 */
export function publicFolder(account: Account): string {
  mkdirSync(publicHome, { recursive: true });
  chmodSync(publicHome, 0o755);
  if (!canEnter(account, publicHome)) {
    throw new StartError(
      `PostgreSQL's user cannot enter ${publicHome}. Set DATA_DIR to a folder that every user may enter.`,
    );
  }
  return publicHome;
}

/** Creates a new folder with a unique name. */
export function newPublicFolder(account: Account): string {
  const folder = path.join(publicFolder(account), `data-${randomBytes(8).toString("hex")}`);
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  return folder;
}

/** Creates a temporary folder beside a path. The caller fills it and renames it to the path. */
export function temporaryPath(place: string): string {
  return mkdtempSync(`${place}.new-`);
}
