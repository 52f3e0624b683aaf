import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isFull } from "#lib/platform/errors/outage";
import { diskFull, StartError } from "#lib/platform/errors/start-errors";
import { type Account, runAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";

export const superuser = "postgres";

/**
 * Environment of PostgreSQL's programs. Messages are in English, because the start waits for one of them. Only the types
 * of Next.js require NODE_ENV.
 */
export const postgresEnvironment = {
  LC_ALL: "C",
  LANG: "C",
  PGTZ: "UTC",
  TZ: "UTC",
  NODE_ENV: "production",
} satisfies NodeJS.ProcessEnv;

type Cluster = { folder: string; password: string; account: Account; binaries: Binaries; durable: boolean };

/**
 * Creates the database cluster if it is missing. Builds it in a temporary folder and renames it, so that an incomplete
 * cluster never starts.
 */
export function initialiseCluster({ folder, password, account, binaries, durable }: Cluster): void {
  if (existsSync(path.join(folder, "PG_VERSION"))) return;
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true });
  removeInterrupted(folder);
  // Both belong to PostgreSQL's user, and no other user can read them.
  const temporary = mkdtempSync(`${folder}.new-`);
  const passwordFile = `${temporary}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account) for (const file of [temporary, passwordFile]) chownSync(file, account.uid, account.gid);
    const options = [
      ...["--pgdata", temporary, "--username", superuser],
      ...["--auth=scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8"],
      ...["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--data-checksums"],
      ...(durable ? [] : ["--no-sync"]),
    ];
    const result = spawnSync(binaries("initdb"), options, {
      ...runAs(account),
      env: postgresEnvironment,
      encoding: "utf8",
    });
    if (result.status !== 0) {
      const reason = result.error?.message ?? `${result.stderr}${result.stdout}`.trim();
      if (/No space left on device|Disk quota exceeded/.test(reason)) throw diskFull(folder);
      throw new StartError(`PostgreSQL's cluster in ${folder} could not be created: ${reason}`);
    }
    renameSync(temporary, folder);
  } catch (error) {
    throw isFull(error) ? diskFull(folder) : error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

function removeInterrupted(folder: string): void {
  for (const name of readdirSync(path.dirname(folder))) {
    if (!name.startsWith(`${path.basename(folder)}.new-`)) continue;
    rmSync(path.join(path.dirname(folder), name), { recursive: true, force: true });
  }
}
