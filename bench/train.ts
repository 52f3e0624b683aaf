import os from "node:os";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { predictEnsemble } from "#lib/engine/learners/tree";
import type { Benchmark, Settings, Skipped } from "./benchmark.ts";
import { type Contender, type Measurement, measure } from "./measure.ts";
import {
  findPython,
  type PythonLearner,
  type PythonTrainer,
  startTrainer,
  writeData,
} from "./python-trainer.ts";
import { bikes, type Split, synthetic } from "./splits.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const LEAVES = 31;
const NAMES: Record<PythonLearner, string> = { sklearn: "scikit-learn", xgboost: "XGBoost" };
const LEARNERS = ["sklearn", "xgboost"] as const;

/**
 * Compares training times of gradient boosting with the same number of trees, leaves and bins. Ours runs on one thread
 * and on as many as suit the size of the data. The others run on one thread and on all cores.
 */
export const train: Benchmark = async function* (settings) {
  const found = yield* pythonOrHints();
  for (const split of [synthetic(settings.quick ? 1_000 : 17_000, settings.seed), bikes()]) {
    yield "skipped" in split
      ? split
      : await compare(split, found, [...new Set([1, os.availableParallelism()])], settings);
  }
};

/** Runs the same comparison on large data; the others only use all cores. */
export const trainLarge: Benchmark = async function* (settings) {
  const found = yield* pythonOrHints();
  const split = synthetic(settings.quick ? 5_000 : 500_000, settings.seed);
  yield await compare(split, found, [os.availableParallelism()], settings);
};

type Found = ReturnType<typeof findPython>;

async function* pythonOrHints(): AsyncGenerator<Skipped, Found> {
  const found = findPython();
  for (const learner of LEARNERS) {
    if (found?.versions[learner]) continue;
    yield {
      what: NAMES[learner],
      skipped: `install it (Debian: apt-get install python3-${learner}), or set BENCH_PYTHON to a Python that has it`,
    };
  }
  return found;
}

async function compare(
  { what, training, heldOut }: Split,
  found: Found,
  threadCounts: number[],
  { quick, rounds }: Settings,
): Promise<Measurement> {
  const trees = quick ? 10 : 300;
  const errors = new Map<string, number>();
  const params = { rounds: trees, maxLeaves: LEAVES };
  const { columns, target } = training;
  const ours: Contender = { name: "ours", run: () => trainGradientBoosting(columns, target, params) };
  const oneThread: Contender = {
    name: "ours, one thread",
    run: () => trainGradientBoosting(columns, target, params, { threads: 1 }),
  };
  using folder = temporaryFolder();
  writeData(folder.path, training, heldOut);
  const trainers: PythonTrainer[] = [];
  const others: Contender[] = [oneThread];
  try {
    for (const threads of found ? threadCounts : []) {
      const trainer = await startTrainer(found!.python, folder.path, threads);
      trainers.push(trainer);
      for (const learner of LEARNERS.filter((one) => found!.versions[one] !== null)) {
        const library = `${NAMES[learner]} ${found!.versions[learner]}`;
        let ms = 0;
        others.push({
          name: `${library}, ${threads === 1 ? "one thread" : `${threads} threads`}`,
          run: async () => {
            const result = await trainer.train(learner, trees, LEAVES);
            ms = result.ms;
            errors.set(NAMES[learner], result.rmse);
          },
          ownMs: () => ms,
        });
      }
    }
    const measurement = await measure({ what: `${what}, ${trees} × ${LEAVES}`, ours, others, rounds });
    const { ensemble } = trainGradientBoosting(columns, target, params);
    const own = rmse(heldOut.target, predictEnsemble(ensemble, heldOut.columns));
    const all = [["ours", own] as const, ...errors].map(([name, error]) => `${name} ${error.toPrecision(4)}`);
    return { ...measurement, note: `RMSE on ${heldOut.target.length} held-out rows: ${all.join(", ")}` };
  } finally {
    await Promise.all(trainers.map((trainer) => trainer.stop()));
  }
}

function rmse(actual: Float64Array, predicted: Float64Array): number {
  const sum = actual.reduce((total, value, row) => total + (value - predicted[row]!) ** 2, 0);
  return Math.sqrt(sum / actual.length);
}
