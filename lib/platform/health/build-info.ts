import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { perProcess } from "#lib/platform/process/per-process";
import packageJson from "../../../package.json" with { type: "json" };

export type BuildInfo = { version: string; commit: string | null };

/** Returns the file with the commit of a build. */
export const commitFile = (root: string) => path.join(root, ".next", "commit");

/**
 * Returns the version of the program, and the commit that it was built from. null: the build had neither the variable
 * `GIT_COMMIT` nor a Git repository. Processes start in the program's folder.
 */
export const buildInfo = perProcess("buildInfoOfProcess", () => readBuildInfo(process.cwd()));

export function readBuildInfo(root: string): BuildInfo {
  const file = commitFile(root);
  return {
    version: packageJson.version,
    commit: existsSync(file) ? readFileSync(file, "utf8").trim() || null : null,
  };
}
