import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { firstPython, startPython } from "./python.ts";
import type { TrainingData } from "./synthetic.ts";

export type PythonLearner = "sklearn" | "xgboost";
type Versions = Record<PythonLearner, string | null>;
/** Milliseconds of fitting, errors on the held-out rows, and growth of the process in MB. */
export type Trained = { ms: number; rmse: number; mae: number; r2: number; megabytes: number };

const SCRIPT = path.join(import.meta.dirname, "train.py");

/** Finds a Python that has at least one of the learners. */
export const findPython = () =>
  firstPython<Versions>(SCRIPT, ({ sklearn, xgboost }) => sklearn !== null || xgboost !== null);

/** Writes the data to the files that `startTrainer` reads. */
export function writeData(folder: string, training: TrainingData, heldOut: TrainingData): void {
  for (const [part, { columns, target }] of Object.entries({ training, heldout: heldOut })) {
    writeFileSync(path.join(folder, `${part}-target`), Float32Array.from(target));
    writeFileSync(path.join(folder, `${part}-columns`), Buffer.concat(columns.map(bytesOf)));
  }
}

/** Writes one of scikit-learn's data sets to the files that `startTrainer` reads. */
export function writeDataset(python: string, folder: string, name: string): void {
  execFileSync(python, [SCRIPT, folder, name]);
}

/** Reads the files of `writeData` or `writeDataset`. */
export function readData(folder: string, part: "training" | "heldout"): TrainingData {
  const read = (name: string) =>
    new Float32Array(Uint8Array.from(readFileSync(path.join(folder, `${part}-${name}`))).buffer);
  const target = Float64Array.from(read("target"));
  const all = read("columns");
  const columns = Array.from({ length: all.length / target.length }, (_, at) =>
    all.subarray(at * target.length, (at + 1) * target.length),
  );
  return { columns, target };
}

/** Starts a Python process that loads the data and trains a model for each question. */
export async function startTrainer(python: string, folder: string, threads: number) {
  const { ask, stop } = await startPython(python, [SCRIPT, folder], threads);
  const train = (learner: PythonLearner, rounds: number, leaves: number) =>
    ask<Trained>({ learner, rounds, leaves });
  return { train, stop };
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
