import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const SCRIPT = path.join(import.meta.dirname, "learners.py");

export const LEARNERS = ["sklearn", "xgboost"] as const;
type PythonLearner = (typeof LEARNERS)[number];
export const NAMES: Record<PythonLearner, string> = { sklearn: "scikit-learn", xgboost: "XGBoost" };
type PythonPackage = PythonLearner | "pandas" | "psycopg2";

type Found = { python: string; versions: Record<PythonPackage, string | null> };

/** Returns a hint how to install a learner and the packages beside it. */
export function learnerHint(learner: PythonLearner, ...others: string[]): string {
  const packages = [learner, ...others].map((name) => `python3-${name}`).join(" ");
  return `install it (Debian: apt-get install ${packages}), or set BENCH_PYTHON to a Python that has it`;
}

/**
 * Finds a Python with packages, and their versions. Tries only `BENCH_PYTHON` if that is set, otherwise the system's
 * Python and then the one on the PATH.
 *
 * @param has returns true if the versions suffice
 */
export function firstPython(has: (versions: Found["versions"]) => boolean): Found | null {
  const named = process.env.BENCH_PYTHON;
  for (const python of named ? [named] : ["/usr/bin/python3", "python3"]) {
    const { status, stdout } = spawnSync(python, [SCRIPT], { encoding: "utf8" });
    if (status !== 0) continue;
    const versions = JSON.parse(stdout) as Found["versions"];
    if (has(versions)) return { python, versions };
  }
  return null;
}

/** Process of the Python script that answers each line of JSON with one. */
type PythonProcess = {
  ask<T>(question: object): Promise<T>;
  stop(): Promise<void>;
};

/** Starts the script with arguments, and waits for its first line. */
export async function startPython(python: string, args: string[], threads: number): Promise<PythonProcess> {
  const child = spawn(python, [SCRIPT, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    // Passive: idle threads must not take cores from the contender that runs.
    env: { ...process.env, OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: "passive" },
  });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${python} ${SCRIPT} ${args[0]} ended.`);
    return JSON.parse(value);
  };
  await read();
  return {
    ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return read();
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
