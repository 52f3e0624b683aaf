import { execFile } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Benchmark, Figures, Skipped } from "./benchmark.ts";
import { figureTable } from "./figure-table.ts";
import {
  findPython,
  type PythonLearner,
  startTrainer,
  type Trained,
  writeData,
  writeDataset,
} from "./python-trainer.ts";
import { bikes, type Split, synthetic } from "./splits.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const LEAVES = 31;
const NAMES: Record<PythonLearner, string> = { sklearn: "scikit-learn", xgboost: "XGBoost" };
const LEARNERS = ["sklearn", "xgboost"] as const;
const PYTHON_DATASETS = ["diabetes", "friedman2", "friedman3"];
/** Maximum rows for repeated training and for automatic model selection. */
const SMALL_ROWS_MAX = 100_000;
const REPEATS = 3;

/** Result of one model, trained on `threads` threads. */
type ModelFigures = Trained & { model: string; threads: number };

type Run = { model: string; rounds: number; threads: number; repeats: number };

const run = promisify(execFile);
const cores = os.availableParallelism();

/**
 * Compares errors, training time and memory of our models with those of scikit-learn and XGBoost. All use the same
 * number of trees, leaves and bins. Each model is trained in a separate process, so that its memory can be measured.
 */
export const models: Benchmark = async function* ({ quick, seed }) {
  const found = findPython();
  for (const learner of LEARNERS) {
    if (found?.versions[learner]) continue;
    const skipped = `install it (Debian: apt-get install python3-${learner}), or set BENCH_PYTHON to a Python that has it`;
    yield { what: NAMES[learner], skipped };
  }
  const rounds = quick ? 10 : 300;
  const sizes = quick ? [1_000] : [17_000, 500_000];
  const splits: (Split | Skipped)[] = [bikes(), bikes(true), ...sizes.map((rows) => synthetic(rows, seed))];
  for (const split of splits) {
    if ("skipped" in split) {
      yield split;
      continue;
    }
    using folder = temporaryFolder();
    writeData(folder.path, split.training, split.heldOut);
    const isSmall = split.training.target.length <= SMALL_ROWS_MAX;
    yield tableOf(split.what, await compare(folder.path, found, rounds, isSmall));
  }
  for (const name of found?.versions.sklearn ? PYTHON_DATASETS : []) {
    using folder = temporaryFolder();
    writeDataset(found!.python, folder.path, name);
    yield tableOf(`scikit-learn's ${name}`, await compare(folder.path, found, rounds, true));
  }
};

function tableOf(what: string, figures: readonly ModelFigures[]): Figures {
  return {
    what,
    table: figureTable({
      title:
        "errors on held-out rows; seconds to train, minimum of three runs (large data and auto: one run); memory growth of the process",
      titles: ["model", "threads", "RMSE", "MAE", "R²", "seconds", "memory"],
      rows: figures.map(({ model, threads, rmse, mae, r2, ms, megabytes }) => [
        ...[model, String(threads), rmse.toPrecision(5), mae.toPrecision(5), r2.toFixed(4)],
        ...[(ms / 1_000).toPrecision(3), `${Math.round(megabytes).toLocaleString("en")} MB`],
      ]),
    }),
  };
}

async function compare(
  folder: string,
  found: ReturnType<typeof findPython>,
  rounds: number,
  isSmall: boolean,
): Promise<ModelFigures[]> {
  const figures: ModelFigures[] = [];
  const repeats = isSmall ? REPEATS : 1;
  for (const threads of new Set([1, cores])) {
    const trained = await trainOurs(folder, { model: "trees", rounds, threads, repeats });
    figures.push({ model: "ours", threads, ...trained });
    for (const learner of LEARNERS) {
      const version = found?.versions[learner];
      if (!version) continue;
      const theirs = await trainTheirs(found!.python, folder, { model: learner, rounds, threads, repeats });
      figures.push({ model: `${NAMES[learner]} ${version}`, threads, ...theirs });
    }
  }
  const ridge = await trainOurs(folder, { model: "ridge", rounds, threads: 1, repeats });
  figures.push({ model: "ours, ridge", threads: 1, ...ridge });
  if (isSmall) {
    const auto = await trainOurs(folder, { model: "auto", rounds, threads: cores, repeats: 1 });
    figures.push({ model: `ours, auto: ${auto.chosen}`, threads: cores, ...auto });
  }
  return figures;
}

async function trainOurs(folder: string, { model, threads, rounds, repeats }: Run) {
  const script = path.join(import.meta.dirname, "train-ours.ts");
  const { stdout } = await run(process.execPath, [
    script,
    folder,
    model,
    ...[threads, rounds, LEAVES, repeats].map(String),
  ]);
  return JSON.parse(stdout) as Trained & { chosen?: string };
}

async function trainTheirs(python: string, folder: string, { model, threads, rounds, repeats }: Run) {
  const trainer = await startTrainer(python, folder, threads);
  try {
    const first = await trainer.train(model as PythonLearner, rounds, LEAVES);
    for (let repeat = 1; repeat < repeats; repeat++) {
      const { ms } = await trainer.train(model as PythonLearner, rounds, LEAVES);
      first.ms = Math.min(first.ms, ms);
    }
    return first;
  } finally {
    await trainer.stop();
  }
}
