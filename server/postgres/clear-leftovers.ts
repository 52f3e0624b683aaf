import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
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
export async function clearLeftovers({ folder, account, binaries }: Cluster): Promise<void> {
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
  for (let orphans = orphansOf(folder); orphans.length > 0; orphans = orphansOf(folder)) {
    for (const orphan of orphans) process.kill(orphan, "SIGKILL");
    await delay(20);
  }
  rmSync(file, { force: true });
}

/**
 * Sessions of a killed server: one that computes does not notice its death until it is done, and with one left no new
 * server starts. Found on Linux alone; elsewhere the start is refused until they are done.
 */
function orphansOf(folder: string): number[] {
  if (process.platform !== "linux") return [];
  const place = realpathSync(folder);
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isIn(pid, place) && commandLine(pid)?.startsWith("postgres: "));
}

function isIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false; // It is gone, or somebody else's.
  }
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
