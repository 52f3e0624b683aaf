import { once } from "node:events";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { BatchService, type Computed } from "./batch-service.ts";
import { FEATURES } from "./bench-model.ts";
import type { Benchmark, Settings } from "./benchmark.ts";
import { type Contender, measure } from "./measure.ts";
import { median } from "./median.ts";
import { findBatchPython, type PythonBatch, type PythonPredictor, startPredictor } from "./python-batch.ts";
import { friedmanTable } from "./synthetic.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { withTimes } from "./timed-rows.ts";

const LEAVES = 31;
/** Number of new workers whose first job is measured. */
const STARTS = 3;
const LEARNERS = { sklearn: "scikit-learn", xgboost: "XGBoost" } as const;
const INSTALL =
  "install it (Debian: apt-get install python3-pandas python3-psycopg2 python3-sklearn python3-xgboost), or set BENCH_PYTHON to a Python that has them";

/**
 * Compares the real job of a scenario with Python, from an uploaded CSV to stored predictions. Python reads the CSV
 * with pandas and writes predictions to the same PostgreSQL by COPY. `BENCH_ROWS` sets other row counts, separated by
 * commas. Above two million rows, only our job runs: once in a new worker, and once more.
 */
export const batch: Benchmark = async function* (settings) {
  const { quick, rounds, seed, log } = settings;
  const trees = quick ? 20 : 300;
  const sizes = (process.env.BENCH_ROWS ?? (quick ? "20000" : "1000000")).split(",").map(Number);
  const found = findBatchPython();
  const learners = (["sklearn", "xgboost"] as const).filter((one) => found?.versions[one] != null);
  for (const one of ["sklearn", "xgboost"] as const)
    if (!learners.includes(one)) yield { what: LEARNERS[one], skipped: INSTALL };

  using folder = temporaryFolder();
  log("  starting PostgreSQL and a worker");
  await using service = await BatchService.start(folder.path);
  await service.startWorker();
  const training = trainingCsv(settings);
  await service.train(Buffer.from(training), trees);
  await writePieces(path.join(folder.path, "training.csv"), [training]);
  const { checkpointId } = await service.compute(await uploadRows(service, folder.path, 1_000, seed), null);

  for (const rowCount of sizes) {
    const file = path.join(folder.path, `rows-${rowCount}.csv`);
    await writeRows(file, rowCount, seed);
    const uploadId = await service.upload(file);
    const runs: Computed[] = [];
    const firsts: Computed[] = [];
    const peaks: number[] = [];
    const compute = async (into: Computed[]) => {
      into.push(await service.compute(uploadId, checkpointId));
      peaks.push(service.takePeak() ?? Number.NaN);
    };
    const ours: Contender = {
      name: "scenario job",
      run: () => compute(runs),
      ownMs: () => runs.at(-1)!.ms,
    };
    const what = `${rowCount.toLocaleString("en")} × ${FEATURES}, ${trees} × ${LEAVES}`;
    const isLarge = rowCount > 2_000_000;
    for (let start = 0; start < (isLarge ? 1 : STARTS); start++) {
      await service.startWorker();
      await compute(firsts);
    }
    if (isLarge) {
      await ours.run();
      const timing = { name: ours.name, medianMs: ours.ownMs!() };
      yield { what, ours: timing, others: [], rounds: 1, note: notesOf(runs, firsts, peaks, new Map()) };
      continue;
    }
    const predictors: PythonPredictor[] = [];
    const theirs = new Map<string, PythonBatch[]>();
    try {
      const others: Contender[] = [];
      for (const learner of learners) {
        const predictor = await startPredictor(found!.python, folder.path, {
          learner,
          trees,
          leaves: LEAVES,
        });
        predictors.push(predictor);
        const name = `${LEARNERS[learner]} ${found!.versions[learner]}, pandas, COPY`;
        const answers: PythonBatch[] = [];
        theirs.set(name, answers);
        others.push({
          name,
          run: async () => answers.push(await predictor.predict(file, service.url)),
          ownMs: () => answers.at(-1)!.reading + answers.at(-1)!.inference + answers.at(-1)!.storing,
        });
      }
      yield {
        ...(await measure({ what, ours, others, rounds })),
        note: notesOf(runs, firsts, peaks, theirs),
      };
    } finally {
      await Promise.all(predictors.map((predictor) => predictor.stop()));
    }
  }
};

/** Describes the seconds of each stage and the peak memory, of our job and of each Python process. */
function notesOf(
  runs: Computed[],
  firsts: Computed[],
  peaks: number[],
  theirs: Map<string, PythonBatch[]>,
): string {
  const seconds = (ms: number[]) => (median(ms) / 1_000).toFixed(2);
  const names = [...new Set(runs.flatMap(({ stages }) => [...stages.keys()]))];
  const stages = names.map((name) => `${name} ${seconds(runs.map((run) => run.stages.get(name) ?? 0))} s`);
  const peak = (all: number[]) => `${Math.max(...all).toFixed(0)} MB`;
  const others = [...theirs].map(([name, all]) => {
    const parts = (["reading", "inference", "storing"] as const).map(
      (part) => `${part} ${seconds(all.map((one) => one[part]))} s`,
    );
    return `${name}: ${parts.join(", ")}, peak ${peak(all.map((one) => one.peak))}`;
  });
  const first = firsts.map(({ ms }) => `${seconds([ms])} s`).join(", ");
  const own = [...stages, `first job of a new worker ${first}`, `worker's peak ${peak(peaks)}`];
  return [`ours: ${own.join(", ")}`, ...others].join("; ");
}

const header = `${Array.from({ length: FEATURES }, (_, index) => `x${index}`).join(",")}`;

/** Generates a CSV of random numbers with six decimals, in pieces of whole lines. */
function* csvRows(rowCount: number, seed: number): Generator<string> {
  const random = seededRandom(seed);
  yield `${header}\n`;
  for (let from = 0; from < rowCount; from += 1_000) {
    let text = "";
    for (let row = from; row < Math.min(rowCount, from + 1_000); row++) {
      text += random.next().toFixed(6);
      for (let column = 1; column < FEATURES; column++) text += `,${random.next().toFixed(6)}`;
      text += "\n";
    }
    yield text;
  }
}

/** Returns the number of rows of `trainingCsv`. */
export const trainingRows = ({ quick }: Pick<Settings, "quick">) => (quick ? 500 : 4_000);

/** Generates the training data of the model. */
export function trainingCsv({ quick, seed }: Pick<Settings, "quick" | "seed">): string {
  const { rowCount, columns } = friedmanTable(trainingRows({ quick }), FEATURES, seed + 1);
  const rows = Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => (column.type === "category" ? "" : column.values[row]!.toFixed(6))).join(","),
  );
  return `${header},y\n${rows.join("\n")}\n`;
}

/** Uploads a generated CSV, which stays in the folder too. Returns the id of the upload. */
async function uploadRows(service: BatchService, folder: string, rowCount: number, seed: number) {
  const file = path.join(folder, `rows-${rowCount}.csv`);
  await writeRows(file, rowCount, seed);
  return service.upload(file);
}

/**
 * Writes a CSV file of input rows for a model of `trainingCsv`.
 *
 * @param from time of the first row in epoch milliseconds; null writes rows without times
 */
export function writeRows(file: string, rowCount: number, seed: number, from: number | null = null) {
  const pieces = csvRows(rowCount, seed);
  return writePieces(file, from === null ? pieces : withTimes(pieces, from));
}

async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const stream = createWriteStream(file);
  for (const piece of pieces) if (!stream.write(piece)) await once(stream, "drain");
  stream.end();
  await once(stream, "close");
}
