import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { commitFile } from "#lib/platform/health/build-info";

/** Records the commit of a build, which the processes read at their start. */
export function recordCommit(root: string): void {
  mkdirSync(path.dirname(commitFile(root)), { recursive: true });
  writeFileSync(commitFile(root), process.env.GIT_COMMIT?.trim() || headOf(root) || "");
}

/** Returns the commit that is checked out; null outside of a repository, or without Git. */
function headOf(root: string): string | null {
  // The repository of another program may contain this folder.
  if (!existsSync(path.join(root, ".git"))) return null;
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}
