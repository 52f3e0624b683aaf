import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

/** User that PostgreSQL runs as; null for the current user. PostgreSQL does not run as root. */
export type Account = { uid: number; gid: number } | null;

/** User and group without privileges on most systems. */
const unprivileged = { uid: 65_534, gid: 65_534 };

/**
 * Returns the account for PostgreSQL. As root: the owner of an existing cluster, else the user `postgres`, else an
 * unprivileged user. Otherwise the current user.
 */
export function postgresAccount(clusterFolder: string): Account {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return userNamed("postgres") ?? unprivileged;
}

function userNamed(name: string): Account {
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [user, , uid, gid] = line.split(":");
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

/** Returns options to run a child process as the account, with a working directory that the account may enter. */
export function runAs(account: Account): { cwd: string; uid?: number; gid?: number } {
  return { cwd: "/", ...account };
}

/** Returns whether the account may enter a folder. The system's answer respects access lists and mount options too. */
export function canEnter(account: Account, folder: string): boolean {
  if (account === null) return true;
  return spawnSync("/bin/sh", ["-c", 'cd "$0"', folder], { ...runAs(account), stdio: "ignore" }).status === 0;
}
