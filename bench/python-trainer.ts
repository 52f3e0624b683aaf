import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { firstPython } from "./find-python.ts";
import type { TrainingData } from "./synthetic.ts";

export type PythonLearner = "sklearn" | "xgboost";
export type Versions = Record<PythonLearner, string | null>;
/** How long fitting took, what errors the held-out rows have, and by how much the process grew. */
export type Trained = { ms: number; rmse: number; mae: number; r2: number; megabytes: number };
export type PythonTrainer = {
  train(learner: PythonLearner, rounds: number, leaves: number): Promise<Trained>;
  stop(): Promise<void>;
};

const SCRIPT = path.join(import.meta.dirname, "train.py");

/** A Python that has one of the learners. */
export const findPython = () =>
  firstPython<Versions>(SCRIPT, ({ sklearn, xgboost }) => sklearn !== null || xgboost !== null);

/** Puts the data where `startTrainer` finds them. */
export function writeData(folder: string, learned: TrainingData, heldOut: TrainingData): void {
  for (const [part, { columns, target }] of Object.entries({ learned, heldout: heldOut })) {
    writeFileSync(path.join(folder, `${part}-target`), Float32Array.from(target));
    writeFileSync(path.join(folder, `${part}-columns`), Buffer.concat(columns.map(bytesOf)));
  }
}

/** One of scikit-learn's own data sets, put where `startTrainer` finds it. */
export function writeDataset(python: string, folder: string, name: string): void {
  execFileSync(python, [SCRIPT, folder, name]);
}

/** What `writeData` or `writeDataset` has written. */
export function readData(folder: string, part: "learned" | "heldout"): TrainingData {
  const read = (name: string) =>
    new Float32Array(Uint8Array.from(readFileSync(path.join(folder, `${part}-${name}`))).buffer);
  const target = Float64Array.from(read("target"));
  const all = read("columns");
  const columns = Array.from({ length: all.length / target.length }, (_, at) =>
    all.subarray(at * target.length, (at + 1) * target.length),
  );
  return { columns, target };
}

/** A Python process that holds the data and trains when told to, with so many threads. */
export async function startTrainer(python: string, folder: string, threads: number): Promise<PythonTrainer> {
  const child = spawn(python, [SCRIPT, folder], {
    stdio: ["pipe", "pipe", "inherit"],
    // Passive: threads that wait must not take the cores from the contender whose turn it is.
    env: { ...process.env, OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: "passive" },
  });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${python} ${SCRIPT} ended`);
    return JSON.parse(value);
  };
  await read();
  return {
    async train(learner, rounds, leaves) {
      child.stdin.write(`${JSON.stringify({ learner, rounds, leaves })}\n`);
      return (await read()) as Trained;
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
