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
import { StartError } from "#lib/config/start-error";
import { type Account, runAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";

export const superuser = "postgres";

/** Messages in English, for the start waits for one of them. NODE_ENV only because Next's types require it. */
export const postgresEnvironment = {
  LC_ALL: "C",
  LANG: "C",
  PGTZ: "UTC",
  TZ: "UTC",
  NODE_ENV: "production",
} satisfies NodeJS.ProcessEnv;

type Cluster = { folder: string; password: string; account: Account; binaries: Binaries; durable: boolean };

/**
 * Makes the database cluster where there is none yet. It is made aside and renamed, so that one which was
 * interrupted half-way is never started.
 */
export function initialiseCluster({ folder, password, account, binaries, durable }: Cluster): void {
  if (existsSync(path.join(folder, "PG_VERSION"))) return;
  const parent = path.dirname(folder);
  mkdirSync(parent, { recursive: true });
  removeInterrupted(folder);
  // PostgreSQL's user must reach both; each is readable by that user alone.
  const aside = mkdtempSync(`${folder}.new-`);
  const passwordFile = `${aside}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account) for (const file of [aside, passwordFile]) chownSync(file, account.uid, account.gid);
    const options = [
      ...["--pgdata", aside, "--username", superuser],
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
      throw new StartError(`PostgreSQL's cluster in ${folder} could not be made: ${reason}`);
    }
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

function removeInterrupted(folder: string): void {
  for (const name of readdirSync(path.dirname(folder))) {
    if (!name.startsWith(`${path.basename(folder)}.new-`)) continue;
    rmSync(path.join(path.dirname(folder), name), { recursive: true, force: true });
  }
}
