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
/** Fresh workers whose first job is measured. */
const STARTS = 3;
const LEARNERS = { sklearn: "scikit-learn", xgboost: "XGBoost" } as const;
const INSTALL =
  "install it (Debian: apt-get install python3-pandas python3-psycopg2 python3-sklearn python3-xgboost), or name a Python that has them in BENCH_PYTHON";

/**
 * A scenario from an uploaded CSV to stored predictions, by the real job in a real worker, against Python that reads it
 * with pandas and puts predictions into the same PostgreSQL by COPY. `BENCH_ROWS` asks for other numbers of rows, of which
 * those above two million are done twice and by ours alone.
 */
export const batch: Benchmark = async function* (settings) {
  const { quick, rounds, seed, say } = settings;
  const trees = quick ? 20 : 300;
  const sizes = (process.env.BENCH_ROWS ?? (quick ? "20000" : "1000000")).split(",").map(Number);
  const found = findBatchPython();
  const learners = (["sklearn", "xgboost"] as const).filter((one) => found?.versions[one] != null);
  for (const one of ["sklearn", "xgboost"] as const)
    if (!learners.includes(one)) yield { what: LEARNERS[one], skipped: INSTALL };

  using folder = temporaryFolder();
  say("  starting a PostgreSQL and a worker");
  await using service = await BatchService.start(folder.path);
  await service.startWorker();
  const learned = trainingCsv(settings);
  await service.train(Buffer.from(learned), trees);
  await writeFileOf(path.join(folder.path, "learned.csv"), [learned]);
  const { checkpointId } = await service.compute(await uploaded(service, folder.path, 1_000, seed), null);

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
      name: "a scenario's job",
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

/** Seconds of each stage and the greatest memory, of ours and of theirs. */
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
    return `${name}: ${parts.join(", ")}, at most ${peak(all.map((one) => one.peak))}`;
  });
  const first = firsts.map(({ ms }) => `${seconds([ms])} s`).join(", ");
  const own = [...stages, `as the first job of a worker ${first}`, `worker at most ${peak(peaks)}`];
  return [`ours: ${own.join(", ")}`, ...others].join("; ");
}

const header = `${Array.from({ length: FEATURES }, (_, index) => `x${index}`).join(",")}`;

/** Numbers of six decimals, in pieces. */
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

/** How many rows `trainingCsv` has. */
export const trainingRows = ({ quick }: Pick<Settings, "quick">) => (quick ? 500 : 4_000);

/** What the model of a batch learns from. */
export function trainingCsv({ quick, seed }: Pick<Settings, "quick" | "seed">): string {
  const { rowCount, columns } = friedmanTable(trainingRows({ quick }), FEATURES, seed + 1);
  const rows = Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => (column.type === "category" ? "" : column.values[row]!.toFixed(6))).join(","),
  );
  return `${header},y\n${rows.join("\n")}\n`;
}

/** @returns id of an upload of so many rows, which stay in the folder as a file too */
export async function uploaded(service: BatchService, folder: string, rowCount: number, seed: number) {
  const file = path.join(folder, `rows-${rowCount}.csv`);
  await writeRows(file, rowCount, seed);
  return service.upload(file);
}

/**
 * Writes a file of so many rows of what `trainingCsv` has the inputs of.
 *
 * @param from time of the first row, as of `withTimes`; null: rows have none
 */
export function writeRows(file: string, rowCount: number, seed: number, from: number | null = null) {
  const pieces = csvRows(rowCount, seed);
  return writeFileOf(file, from === null ? pieces : withTimes(pieces, from));
}

async function writeFileOf(file: string, pieces: Iterable<string>): Promise<void> {
  const stream = createWriteStream(file);
  for (const piece of pieces) if (!stream.write(piece)) await once(stream, "drain");
  stream.end();
  await once(stream, "close");
}
