import { spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { firstPython } from "./find-python.ts";
import type { PythonLearner } from "./python-trainer.ts";

/** Milliseconds of each part, and the peak memory of the process in MB. */
export type PythonBatch = { reading: number; inference: number; storing: number; peak: number };

export type PythonPredictor = {
  /** Predicts a CSV file and stores the predictions in the database at `url`. */
  predict(file: string, url: string): Promise<PythonBatch>;
  stop(): Promise<void>;
};

type Packages = Record<PythonLearner | "pandas" | "psycopg2", string | null>;

const SCRIPT = path.join(import.meta.dirname, "batch.py");

/** Finds a Python that has pandas and psycopg2. It may lack the learners. */
export const findBatchPython = () =>
  firstPython<Packages>(SCRIPT, ({ pandas, psycopg2 }) => pandas !== null && psycopg2 !== null);

/** Starts a Python process that trains on `training.csv` in the folder and then predicts on request, on all cores. */
export async function startPredictor(
  python: string,
  folder: string,
  model: { learner: PythonLearner; trees: number; leaves: number },
): Promise<PythonPredictor> {
  const { learner, trees, leaves } = model;
  const child = spawn(python, [SCRIPT, folder, learner, String(trees), String(leaves)], {
    stdio: ["pipe", "pipe", "inherit"],
    // Passive: idle threads must not take cores from the contender that runs.
    env: {
      ...process.env,
      OMP_NUM_THREADS: String(os.availableParallelism()),
      OMP_WAIT_POLICY: "passive",
    },
  });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${python} ${SCRIPT} ended.`);
    return JSON.parse(value);
  };
  await read();
  return {
    async predict(file, url) {
      child.stdin.write(`${JSON.stringify({ file, url })}\n`);
      return (await read()) as PythonBatch;
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
