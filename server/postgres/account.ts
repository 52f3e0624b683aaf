import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** The user that PostgreSQL runs as: null is the current one. PostgreSQL refuses to run as root. */
export type Account = { uid: number; gid: number } | null;

const nobody = { uid: 65_534, gid: 65_534 };

/** As root: the owner of an existing cluster, else the user `postgres`, else nobody. Otherwise the current user. */
export function postgresAccount(clusterFolder: string): Account {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return userNamed("postgres") ?? nobody;
}

function userNamed(name: string): Account {
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [user, , uid, gid] = line.split(":");
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

/** Options that make a child process run as the account; the working directory must be one that it may enter. */
export function runAs(account: Account): { cwd: string; uid?: number; gid?: number } {
  return { cwd: "/", ...account };
}

/** Asks the system itself, so that access lists and mount options count as well as mode bits. */
export function canEnter(account: Account, folder: string): boolean {
  if (account === null) return true;
  return spawnSync("/bin/sh", ["-c", 'cd "$0"', folder], { ...runAs(account), stdio: "ignore" }).status === 0;
}
