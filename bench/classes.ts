import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Table } from "#lib/contract/table";
import { parseCsv } from "#lib/engine/csv/parse";
import { loadModel } from "#lib/engine/inference/load-model";
import { classMetrics } from "#lib/engine/learners/class-metrics";
import { dropColumns } from "#lib/engine/table/columns";
import { fitModel } from "#lib/engine/training/fit-model";
import type { Benchmark, Figures } from "./benchmark.ts";
import { figureTable } from "./figure-table.ts";
import { firstPython } from "./python.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type Figure = { logLoss: number; auc: number; calibrationError: number };
/** A split of a data set, and the predictions of other tools for its test rows. */
type Split = {
  name: string;
  rows: number;
  columns: number;
  files: [train: string, test: string];
  actual: number[];
  results: Record<string, number[]>;
};

const SCRIPT = path.join(import.meta.dirname, "classes.py");
const TARGET = "class to predict";
const OURS = "ours";
const BUFFER_MAX = 2 ** 28;

const run = promisify(execFile);

/**
 * Compares probabilities of two classes with scikit-learn's, on the test rows of five folds. Log loss and AUC are means
 * over the splits; the calibration error is that of all test rows together. Our model is the one that `auto` keeps.
 */
export const classes: Benchmark = async function* ({ quick, log }) {
  const found = firstPython<{ sklearn: string | null }>(SCRIPT, ({ sklearn }) => sklearn !== null);
  if (found === null) {
    const skipped = "install it (Debian: apt-get install python3-sklearn), or set BENCH_PYTHON";
    yield { what: "scikit-learn", skipped };
    return;
  }
  using folder = temporaryFolder();
  const { stdout } = await run(found.python, [SCRIPT, folder.path], {
    maxBuffer: BUFFER_MAX,
    env: { ...process.env, OMP_NUM_THREADS: "1" },
  });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Split | { name: string; skipped: string });
  for (const answer of answers) if ("skipped" in answer) yield { what: answer.name, skipped: answer.skipped };
  const splits = answers.filter((answer) => "files" in answer);
  for (const name of new Set(splits.map((split) => split.name))) {
    const own = splits.filter((split) => split.name === name).slice(0, quick ? 1 : undefined);
    yield await compare(own, log);
  }
};

async function compare(splits: readonly Split[], log: (text: string) => void): Promise<Figures> {
  const [{ name, rows, columns }] = splits as [Split];
  const probabilities = new Map<string, number[][]>();
  for (const [at, split] of splits.entries()) {
    const all = { [OURS]: await predictOurs(split.files), ...split.results };
    for (const [model, predicted] of Object.entries(all))
      probabilities.set(model, [...(probabilities.get(model) ?? []), predicted]);
    log(`  ${name}: ${at + 1} of ${splits.length} splits`);
  }
  const actual = splits.map((split) => split.actual);
  const figures = [...probabilities].map(
    ([model, predicted]) => [model, figureOf(actual, predicted)] as const,
  );
  const others = figures.filter(([model]) => model !== OURS).map(([, figure]) => figure);
  const best = {
    logLoss: Math.min(...others.map(({ logLoss }) => logLoss)),
    auc: Math.max(...others.map(({ auc }) => auc)),
  };
  return {
    what: name,
    table: figureTable({
      title: `${name}: ${rows.toLocaleString("en")} rows × ${columns} columns, ${splits.length} splits`,
      titles: ["model", "log loss", "to the best other", "AUC", "to the best other", "calibration error"],
      rows: figures.map(([model, { logLoss, auc, calibrationError }]) => [
        ...[model, logLoss.toFixed(4), (logLoss / best.logLoss).toFixed(3)],
        ...[auc.toFixed(4), (auc / best.auc).toFixed(4), calibrationError.toFixed(4)],
      ]),
    }),
  };
}

async function predictOurs([train, test]: Split["files"]): Promise<number[]> {
  const read = (file: string) => parseCsv(readFileSync(file), { timestamp: null }).table;
  const { files } = await fitModel({ table: read(train), target: TARGET, timestamp: null });
  const model = await loadModel(async (name) => files.get(name)!);
  const inputs: Table = dropColumns(read(test), [TARGET]);
  return [...(await model.predict(inputs)).predictions];
}

/** Returns means over the splits; calibration errors of single splits are mostly chance. */
function figureOf(actual: readonly number[][], predicted: readonly number[][]): Figure {
  const metrics = actual.map((one, at) =>
    classMetrics(Float64Array.from(one), Float64Array.from(predicted[at]!)),
  );
  const mean = (key: "logLoss" | "auc") => metrics.reduce((sum, one) => sum + one[key]!, 0) / metrics.length;
  const all = classMetrics(Float64Array.from(actual.flat()), Float64Array.from(predicted.flat()));
  return { logLoss: mean("logLoss"), auc: mean("auc"), calibrationError: all.calibrationError! };
}
