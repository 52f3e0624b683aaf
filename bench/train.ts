import os from "node:os";
import { parseCsv } from "#lib/csv/parse";
import { trainGradientBoosting } from "#lib/ml/train/gradient-boosting";
import { predictEnsemble } from "#lib/ml/train/tree";
import type { Benchmark, Settings, Skipped } from "./benchmark.ts";
import { type Contender, type Measurement, measure } from "./measure.ts";
import {
  findPython,
  type PythonLearner,
  type PythonTrainer,
  startTrainer,
  type Versions,
  writeData,
} from "./python-trainer.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";
import { friedmanData, type TrainingData } from "./synthetic.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const LEAVES = 31;
const NAMES: Record<PythonLearner, string> = { sklearn: "scikit-learn", xgboost: "XGBoost" };
const LEARNERS = ["sklearn", "xgboost"] as const;

type Split = { what: string; learned: TrainingData; heldOut: TrainingData };

/** Gradient boosting of the same number of trees, leaves and bins: ours on one thread, theirs on one and on all cores. */
export const train: Benchmark = async function* (settings) {
  const found = findPython();
  for (const learner of LEARNERS) {
    if (found?.versions[learner]) continue;
    yield {
      what: NAMES[learner],
      skipped: `install it (Debian: apt-get install python3-${learner}), or name a Python that has it in BENCH_PYTHON`,
    };
  }
  for (const split of [synthetic(settings), bikes()]) {
    yield "skipped" in split ? split : await compare(split, found, settings);
  }
};

async function compare(
  { what, learned, heldOut }: Split,
  found: { python: string; versions: Versions } | null,
  { quick, rounds }: Settings,
): Promise<Measurement> {
  const trees = quick ? 10 : 300;
  const errors = new Map<string, number>();
  const ours: Contender = {
    name: "one thread",
    run: () => {
      const params = { rounds: trees, maxLeaves: LEAVES };
      return trainGradientBoosting(learned.columns, learned.target, params).ensemble;
    },
  };
  using folder = temporaryFolder();
  writeData(folder.path, learned, heldOut);
  const trainers: PythonTrainer[] = [];
  const others: Contender[] = [];
  try {
    for (const threads of found ? new Set([1, os.availableParallelism()]) : []) {
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
    const { ensemble } = trainGradientBoosting(learned.columns, learned.target, {
      rounds: trees,
      maxLeaves: LEAVES,
    });
    const own = rmse(heldOut.target, predictEnsemble(ensemble, heldOut.columns));
    const all = [["ours", own] as const, ...errors].map(([name, error]) => `${name} ${error.toPrecision(4)}`);
    return { ...measurement, note: `RMSE on ${heldOut.target.length} held-out rows: ${all.join(", ")}` };
  } finally {
    await Promise.all(trainers.map((trainer) => trainer.stop()));
  }
}

function synthetic({ quick, seed }: Settings): Split {
  const rows = quick ? 1_000 : 17_000;
  return {
    what: `${rows.toLocaleString("en")} × 12`,
    learned: friedmanData(rows, 12, seed),
    heldOut: friedmanData(4_000, 12, seed + 1),
  };
}

/**
 * The last fifth of the hours is held out. No column has more values than there are bins, so that all three see the
 * same splits: equal errors show that equal work was measured.
 */
function bikes(): Split | Skipped {
  const what = "bike rentals";
  const bytes = bikeRentals();
  if (bytes === null) return { what, skipped: sampleDataHint };
  const target = "cnt";
  const exclude = ["instant", "dteday", "casual", "registered"];
  const { table, rowCount } = parseCsv(bytes, { exclude, timestamp: null });
  const learnedRows = Math.floor(rowCount * 0.8);
  const part = (from: number, to: number): TrainingData => {
    const data: TrainingData = { columns: [], target: new Float64Array(0) };
    for (const column of table.columns) {
      if (column.type === "category") continue;
      const values = column.values.slice(from, to);
      if (column.name === target) data.target = values;
      else data.columns.push(Float32Array.from(values));
    }
    return data;
  };
  const learned = part(0, learnedRows);
  return {
    what: `${what} ${learnedRows.toLocaleString("en")} × ${learned.columns.length}`,
    learned,
    heldOut: part(learnedRows, rowCount),
  };
}

function rmse(actual: Float64Array, predicted: Float64Array): number {
  const sum = actual.reduce((total, value, row) => total + (value - predicted[row]!) ** 2, 0);
  return Math.sqrt(sum / actual.length);
}
