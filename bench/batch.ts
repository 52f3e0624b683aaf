import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDatabase, type Database } from "#db/client";
import { readJob } from "#lib/domain/jobs/find-job";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { takePeak } from "../e2e/process-figures.ts";
import { admin, startService } from "../e2e/service.ts";
import { FEATURES } from "./bench-model.ts";
import type { Benchmark, Settings } from "./benchmark.ts";
import { type Contender, measure } from "./measure.ts";
import { median } from "./median.ts";
import { processOf, processTree } from "./process-tree.ts";
import { findBatchPython, type PythonBatch, startPredictor } from "./python-batch.ts";
import { signIn } from "./session.ts";
import { friedmanData } from "./synthetic.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { createTrainedProject, requestOfTrees } from "./trained-project.ts";

const LEAVES = 31;
/** Number of new workers whose first job is measured. */
const STARTS = 3;
const LEARNERS = { sklearn: "scikit-learn", xgboost: "XGBoost" } as const;
const INSTALL =
  "install it (Debian: apt-get install python3-pandas python3-psycopg2 python3-sklearn python3-xgboost), or set BENCH_PYTHON to a Python that has them";

/** Milliseconds of a job and of each stage. The stages are polled from the job's record, every 10 ms. */
type Computed = { ms: number; stages: Map<string, number> };

/**
 * Compares the real job of a scenario with Python, from an uploaded CSV to stored predictions. Python reads the CSV
 * with pandas and writes predictions to the same PostgreSQL by COPY. `BENCH_ROWS` sets other row counts, separated by
 * commas. Above two million rows, only our job runs: once in a new worker, and once more.
 */
export const batch: Benchmark = async function* (settings) {
  const { quick, rounds, seed, log } = settings;
  if (process.platform !== "linux") {
    yield { what: "a scenario's job", skipped: "memory can only be read on Linux" };
    return;
  }
  const trees = quick ? 20 : 300;
  const sizes = (process.env.BENCH_ROWS ?? (quick ? "20000" : "1000000")).split(",").map(Number);
  const found = findBatchPython();
  const learners = (["sklearn", "xgboost"] as const).filter((one) => found?.versions[one] != null);
  for (const one of ["sklearn", "xgboost"] as const)
    if (!learners.includes(one)) yield { what: LEARNERS[one], skipped: INSTALL };

  using folder = temporaryFolder();
  const dataDir = path.join(folder.path, "data");
  log("  starting a service");
  await using cleanup = new AsyncDisposableStack();
  const service = await startService(dataDir, { DEMO: "0" });
  cleanup.defer(service.stop);
  const database = createDatabase(readFileSync(path.join(dataDir, "secrets", "database-url"), "utf8"));
  cleanup.defer(database.close);
  const session = await signIn(service.url, admin);
  const csv = trainingCsv(settings);
  await writePieces(path.join(folder.path, "training.csv"), [csv]);
  const training = Buffer.from(csv).toString("base64");
  const request = requestOfTrees(trees);
  const { at, checkpointId } = await createTrainedProject(session, { training, timestamp: null, request });

  let worker = processOf(service.pid, "worker");
  for (const rowCount of sizes) {
    const file = path.join(folder.path, `rows-${rowCount}.csv`);
    await writePieces(file, csvRows(rowCount, seed));
    const uploadId = await session.upload(`${at}/uploads`, file);
    const runs: Computed[] = [];
    const firsts: Computed[] = [];
    const peaks: number[] = [];
    const compute = async (into: Computed[]) => {
      const request = { title: "Bench", checkpointId, uploadId };
      const { jobId } = await session.post<{ jobId: string }>(`${at}/scenarios`, request);
      into.push(await follow(database.db, jobId));
      peaks.push(takePeak(worker));
    };
    const ours: Contender = {
      name: "scenario job",
      run: () => compute(runs),
      ownMs: () => runs.at(-1)!.ms,
    };
    const what = `${rowCount.toLocaleString("en")} × ${FEATURES}, ${trees} × ${LEAVES}`;
    const isLarge = rowCount > 2_000_000;
    for (let start = 0; start < (isLarge ? 1 : STARTS); start++) {
      worker = await replaceWorker(service.pid, worker);
      await compute(firsts);
    }
    if (isLarge) {
      await ours.run();
      const timing = { name: ours.name, medianMs: ours.ownMs!() };
      yield { what, ours: timing, others: [], rounds: 1, note: notesOf(runs, firsts, peaks, new Map()) };
      continue;
    }
    await using predictors = new AsyncDisposableStack();
    const theirs = new Map<string, PythonBatch[]>();
    const others: Contender[] = [];
    for (const learner of learners) {
      const model = { learner, trees, leaves: LEAVES };
      const predictor = await startPredictor(found!.python, folder.path, model);
      predictors.defer(predictor.stop);
      const name = `${LEARNERS[learner]} ${found!.versions[learner]}, pandas, COPY`;
      const answers: PythonBatch[] = [];
      theirs.set(name, answers);
      others.push({
        name,
        run: async () => answers.push(await predictor.predict(file, database.url)),
        ownMs: () => answers.at(-1)!.reading + answers.at(-1)!.inference + answers.at(-1)!.storing,
      });
    }
    const measured = await measure({ what, ours, others, rounds });
    yield { ...measured, note: notesOf(runs, firsts, peaks, theirs) };
  }
};

/** Waits for a job. */
async function follow(db: Database, jobId: string): Promise<Computed> {
  const stages = new Map<string, number>();
  let previous = { stage: "", at: performance.now() };
  for (;;) {
    const job = (await readJob(db, jobId))!;
    const at = performance.now();
    const stage = job.status === "Running" ? (job.stage ?? "") : "";
    if (previous.stage !== "")
      stages.set(previous.stage, (stages.get(previous.stage) ?? 0) + at - previous.at);
    previous = { stage, at };
    if (job.status === "Completed") return { ms: Number(job.finishedAt) - Number(job.startedAt), stages };
    if (job.status === "Failed" || job.status === "Cancelled")
      throw new Error(`The job ended with status ${job.status}: ${job.errorMessage}`);
    await delay(10);
  }
}

/** Ends the worker, so that earlier jobs do not affect the measured memory. Returns the one that the supervisor starts. */
async function replaceWorker(supervisor: number, worker: number): Promise<number> {
  process.kill(worker, "SIGTERM");
  for (;;) {
    const next = processTree(supervisor).find(
      ({ pid, title }) => title.startsWith("worker") && pid !== worker,
    );
    if (next !== undefined) return next.pid;
    await delay(50);
  }
}

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

/** Generates the training data of the model. */
function trainingCsv({ quick, seed }: Pick<Settings, "quick" | "seed">): string {
  const { columns, target } = friedmanData(quick ? 500 : 4_000, FEATURES, seed + 1);
  const rows = Array.from(target, (y, row) =>
    [...columns.map((values) => values[row]!), y].map((value) => value.toFixed(6)).join(","),
  );
  return `${header},y\n${rows.join("\n")}\n`;
}

async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const stream = createWriteStream(file);
  for (const piece of pieces) if (!stream.write(piece)) await once(stream, "drain");
  stream.end();
  await once(stream, "close");
}
