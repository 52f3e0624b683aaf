import { writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseCsv } from "#lib/engine/csv/parse";
import { loadModel } from "#lib/engine/inference/load-model";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { dropColumns } from "#lib/engine/table/columns";
import { fitModel } from "#lib/engine/training/fit-model";
import { predictEnsemble } from "#testing/predict-ensemble";
import { type Benchmark, type Figures, type Skipped, temporaryFolder } from "./harness.ts";
import { firstPython, LEARNERS, learnerHint, NAMES, startPython } from "./python.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";
import { friedmanData, type TrainingData, tableOf } from "./synthetic.ts";

const LEAVES = 31;
/** Maximum rows for repeated training and for automatic model selection. */
const SMALL_ROWS_MAX = 100_000;
const REPEATS = 3;

/** Rows for training and rows for evaluation. */
type Split = { what: string; training: TrainingData; heldOut: TrainingData };
/** Milliseconds of fitting, and errors on the held-out rows. */
type Trained = { ms: number; rmse: number; mae: number; r2: number };
type Found = ReturnType<typeof firstPython>;

const cores = os.availableParallelism();

/**
 * Compares errors and training time of our trees with those of scikit-learn and XGBoost. All use the same number of trees,
 * leaves and bins. `auto` is the model that we choose without settings.
 */
export const models: Benchmark = async function* ({ quick, seed }) {
  const found = firstPython((has) => LEARNERS.some((one) => has[one] !== null));
  for (const learner of LEARNERS)
    if (!found?.versions[learner]) yield { what: NAMES[learner], skipped: learnerHint(learner) };
  const sizes = quick ? [1_000] : [17_000, 500_000];
  for (const split of [bikes(), ...sizes.map((rows) => synthetic(rows, seed))])
    yield "skipped" in split ? split : await compare(split, found, quick ? 10 : 300);
};

async function compare(split: Split, found: Found, rounds: number): Promise<Figures> {
  using folder = temporaryFolder();
  writeData(folder.path, split);
  const isSmall = split.training.target.length <= SMALL_ROWS_MAX;
  const repeats = isSmall ? REPEATS : 1;
  const rows: string[][] = [];
  const add = (model: string, threads: number, { ms, rmse, mae, r2 }: Trained) => {
    const errors = [rmse.toPrecision(5), mae.toPrecision(5), r2.toFixed(4)];
    rows.push([model, String(threads), ...errors, (ms / 1_000).toPrecision(3)]);
  };
  for (const threads of new Set([1, cores])) {
    add("ours", threads, await fastest(repeats, () => trainTrees(split, threads, rounds)));
    for (const learner of LEARNERS) {
      const version = found?.versions[learner];
      if (!version) continue;
      const { ask, stop } = await startPython(found.python, ["train", folder.path], threads);
      const train = () => ask<Trained>({ learner, trees: rounds, leaves: LEAVES });
      add(`${NAMES[learner]} ${version}`, threads, await fastest(repeats, train));
      await stop();
    }
  }
  if (isSmall) {
    const { chosen, ...trained } = await trainAuto(split);
    add(`ours, auto: ${chosen}`, cores, trained);
  }
  const title =
    "errors on held-out rows; seconds to train, minimum of three runs (large data and auto: one run)";
  const titles = ["model", "threads", "RMSE", "MAE", "R²", "seconds"];
  return { what: split.what, table: { title, titles, rows } };
}

/** Runs a training several times. Returns the errors of the first run and the time of the fastest one. */
async function fastest(repeats: number, train: () => Trained | Promise<Trained>): Promise<Trained> {
  const first = await train();
  let { ms } = first;
  for (let repeat = 1; repeat < repeats; repeat++) ms = Math.min(ms, (await train()).ms);
  return { ...first, ms };
}

/** @param threads above 1, as many threads as suit the size of the data */
function trainTrees({ training, heldOut }: Split, threads: number, rounds: number): Trained {
  const start = performance.now();
  const params = { rounds, maxLeaves: LEAVES };
  const options = threads === 1 ? { threads } : {};
  const { ensemble } = trainGradientBoosting(training.columns, training.target, params, options);
  const ms = performance.now() - start;
  return { ms, ...errorsOf(heldOut, predictEnsemble(ensemble, heldOut.columns)) };
}

async function trainAuto({ training, heldOut }: Split): Promise<Trained & { chosen: string }> {
  const start = performance.now();
  const { files, summary } = await fitModel({
    table: tableOf(training),
    target: "y",
    timestamp: null,
    request: { algorithm: "auto" },
  });
  const ms = performance.now() - start;
  const loaded = await loadModel(async (name) => files.get(name)!);
  const { predictions } = await loaded.predict(dropColumns(tableOf(heldOut), ["y"]));
  return { ms, ...errorsOf(heldOut, predictions), chosen: summary.algorithm };
}

function errorsOf({ target }: TrainingData, predictions: Float64Array) {
  const { rmse, mae, r2 } = regressionMetrics(target, predictions);
  return { rmse: rmse ?? Number.NaN, mae: mae ?? Number.NaN, r2: r2 ?? Number.NaN };
}

/** Writes the data to the files that `learners.py` reads. */
function writeData(folder: string, { training, heldOut }: Split): void {
  const bytesOf = (values: Float32Array) =>
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  for (const [part, { columns, target }] of Object.entries({ training, heldout: heldOut })) {
    writeFileSync(path.join(folder, `${part}-target`), Float32Array.from(target));
    writeFileSync(path.join(folder, `${part}-columns`), Buffer.concat(columns.map(bytesOf)));
  }
}

function synthetic(rows: number, seed: number): Split {
  return {
    what: `${rows.toLocaleString("en")} × 12`,
    training: friedmanData(rows, 12, seed),
    heldOut: friedmanData(4_000, 12, seed + 1),
  };
}

/**
 * Splits the bike rentals; the last fifth of the hours is held out. No column has more distinct values than a learner has
 * bins. All learners then consider the same splits, and equal errors show equal work.
 */
function bikes(): Split | Skipped {
  const what = "bike rentals";
  const bytes = bikeRentals();
  if (bytes === null) return { what, skipped: sampleDataHint };
  const exclude = ["instant", "dteday", "casual", "registered"];
  const { table, rowCount } = parseCsv(bytes, { exclude, timestamp: null });
  const numbers = table.columns.filter((column) => column.type !== "category");
  const rentals = numbers.find(({ name }) => name === "cnt")!.values;
  const columns = numbers.filter(({ name }) => name !== "cnt").map(({ values }) => Float32Array.from(values));
  const cut = Math.floor(rowCount * 0.8);
  const part = (from: number, to: number): TrainingData => ({
    columns: columns.map((column) => column.slice(from, to)),
    target: Float64Array.from(rentals.slice(from, to)),
  });
  return {
    what: `${what} ${cut.toLocaleString("en")} × ${columns.length}`,
    training: part(0, cut),
    heldOut: part(cut, rowCount),
  };
}
