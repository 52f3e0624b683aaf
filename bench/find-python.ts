import { spawnSync } from "node:child_process";

/**
 * The first Python that can run a script and has what it needs: `BENCH_PYTHON`, else the system's, else that of the PATH.
 *
 * @param script one that tells the versions of its packages, as JSON, where it is given nothing else to do
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
