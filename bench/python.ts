import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export const LEARNERS = ["sklearn", "xgboost"] as const;
export type PythonLearner = (typeof LEARNERS)[number];
/** Versions of the learners; null if not installed. */
export type Versions = Record<PythonLearner, string | null>;
export const NAMES: Record<PythonLearner, string> = { sklearn: "scikit-learn", xgboost: "XGBoost" };

/** Returns a hint how to install a learner and the packages beside it. */
export function learnerHint(learner: PythonLearner, ...others: string[]): string {
  const packages = [learner, ...others].map((name) => `python3-${name}`).join(" ");
  return `install it (Debian: apt-get install ${packages}), or set BENCH_PYTHON to a Python that has it`;
}

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

/** Process of a Python script that answers each line of JSON with one. */
type PythonProcess = {
  ask<T>(question: object): Promise<T>;
  stop(): Promise<void>;
};

/**
 * Starts a Python script, and waits for its first line.
 *
 * @param args path of the script and its arguments
 */
export async function startPython(python: string, args: string[], threads: number): Promise<PythonProcess> {
  const child = spawn(python, args, {
    stdio: ["pipe", "pipe", "inherit"],
    // Passive: idle threads must not take cores from the contender that runs.
    env: { ...process.env, OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: "passive" },
  });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${python} ${args[0]} ended.`);
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
