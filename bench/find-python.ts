import { spawnSync } from "node:child_process";

/**
 * Finds a Python that runs a script and has the packages that it needs. Tries only `BENCH_PYTHON` if that is set,
 * otherwise the system's Python and then the one on the PATH.
 *
 * @param script prints the versions of its packages as JSON when it is called without arguments
 * @param has returns true if the versions suffice
 */
export function firstPython<V>(
  script: string,
  has: (versions: V) => boolean,
): { python: string; versions: V } | null {
  const named = process.env.BENCH_PYTHON;
  for (const python of named ? [named] : ["/usr/bin/python3", "python3"]) {
    const { status, stdout } = spawnSync(python, [script], { encoding: "utf8" });
    if (status !== 0) continue;
    const versions = JSON.parse(stdout) as V;
    if (has(versions)) return { python, versions };
  }
  return null;
}
