import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/config/start-error";
import { type Account, runAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { postgresEnvironment } from "./initialise-cluster.ts";
import { commandLine } from "./process-identity.ts";

type Cluster = { folder: string; account: Account; binaries: Binaries };

/**
 * Clears what a killed service left behind: its PostgreSQL is stopped if it still runs. A `postmaster.pid` whose
 * number by now belongs to another process is removed, for with it PostgreSQL would not start, and `pg_ctl stop`
 * would signal a stranger.
 */
export function clearLeftovers({ folder, account, binaries }: Cluster): void {
  const file = path.join(folder, "postmaster.pid");
  const pid = recordedPid(file);
  if (pid === null) return;
  for (const mode of ["fast", "immediate"]) {
    if (!isPostgresOf(pid, folder)) break;
    spawnSync(binaries("pg_ctl"), ["stop", "-D", folder, "-m", mode, "-w", "-t", "20"], {
      ...runAs(account),
      env: postgresEnvironment,
      stdio: "ignore",
    });
  }
  if (isPostgresOf(pid, folder)) {
    throw new StartError(
      `The PostgreSQL that an earlier run left (process ${pid}) does not stop: end it and start again.`,
    );
  }
  rmSync(file, { force: true });
}

function recordedPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    return pid > 0 ? pid : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function isPostgresOf(pid: number, folder: string): boolean {
  return commandLine(pid)?.includes(`-D ${folder} `) ?? false;
}
