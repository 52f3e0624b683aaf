import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/config/start-error";
import { type Account, canEnter } from "./account.ts";

const home = "/var/lib/model-prediction-service";

/**
 * Root alone comes here: a folder outside every home, for what an account must reach that cannot enter the
 * data folder or the checkout. `/var/lib` and no temporary folder, because it outlives restarts and clean-ups.
 */
export function publicFolder(account: Account): string {
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755);
  if (!canEnter(account, home)) {
    throw new StartError(
      `PostgreSQL's user cannot enter ${home}: choose a DATA_DIR that every user may enter.`,
    );
  }
  return home;
}

/** A new folder with a name that nobody else has. */
export function newPublicFolder(account: Account): string {
  const folder = path.join(publicFolder(account), `data-${randomBytes(8).toString("hex")}`);
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  return folder;
}

/** A new folder to build something in that is then renamed into its place beside it. */
export function newAside(place: string): string {
  return mkdtempSync(`${place}.new-`);
}
