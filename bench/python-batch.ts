import os from "node:os";
import path from "node:path";
import { firstPython, startPython } from "./python.ts";
import type { PythonLearner } from "./python-trainer.ts";

/** Milliseconds of each part, and the peak memory of the process in MB. */
export type PythonBatch = { reading: number; inference: number; storing: number; peak: number };

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
) {
  const { learner, trees, leaves } = model;
  const args = [SCRIPT, folder, learner, String(trees), String(leaves)];
  const { ask, stop } = await startPython(python, args, os.availableParallelism());
  /** Predicts a CSV file and stores the predictions in the database at `url`. */
  const predict = (file: string, url: string) => ask<PythonBatch>({ file, url });
  return { predict, stop };
}
