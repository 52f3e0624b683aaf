import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readIfPresent } from "#lib/platform/config/secrets";
import { StartError } from "#lib/platform/errors/start-errors";
import { type Account, runAs } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { postgresEnvironment } from "./initialise-cluster.ts";
import { commandLine } from "./process-identity.ts";

type Cluster = { folder: string; account: Account; binaries: Binaries };

/**
 * Stops a PostgreSQL that a killed service left running. Removes a `postmaster.pid` whose process id belongs to another
 * program by now: with this file PostgreSQL would not start, and `pg_ctl stop` would signal the other program.
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
      `PostgreSQL of an earlier run (process ${pid}) does not stop. End this process, then start again.`,
    );
  }
  for (let sessions = sessionsIn(folder); sessions.length > 0; sessions = sessionsIn(folder)) {
    for (const session of sessions) process.kill(session, "SIGKILL");
    await delay(20);
  }
  rmSync(file, { force: true });
}

/**
 * Returns the processes of sessions whose server was killed. A session notices that only when its statement ends, and
 * no new server starts before. On systems other than Linux, returns none: the start fails until the sessions end.
 */
function sessionsIn(folder: string): number[] {
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
    return false; // The process has ended or belongs to another user.
  }
}

function recordedPid(file: string): number | null {
  const pid = Number.parseInt(readIfPresent(file) ?? "", 10);
  return pid > 0 ? pid : null;
}

function isPostgresOf(pid: number, folder: string): boolean {
  return commandLine(pid)?.includes(`-D ${folder} `) ?? false;
}
