import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { csvOfTable } from "#testing/csv-of-table";
import { takePeak } from "../e2e/process-figures.ts";
import { processOf } from "../e2e/process-tree.ts";
import { startService } from "../e2e/service.ts";
import { openSession } from "../e2e/session.ts";
import { FEATURES } from "./bench-model.ts";
import { type Benchmark, type Contender, measure, median, temporaryFolder } from "./harness.ts";
import { firstPython, LEARNERS, learnerHint, NAMES, startPython } from "./python.ts";
import { friedmanData, tableOf } from "./synthetic.ts";
import { createTrainedProject, requestOfTrees } from "./trained-project.ts";

const LEAVES = 31;

/** Milliseconds of each part, and the peak memory of the process in MB. */
type PythonBatch = { reading: number; inference: number; storing: number; peak: number };

/**
 * Compares the real job of a scenario with Python, from an uploaded CSV to stored predictions. Python reads the CSV
 * with pandas and writes predictions to the same PostgreSQL by COPY. `BENCH_ROWS` sets other row counts, separated by
 * commas.
 */
export const batch: Benchmark = async function* (settings) {
  const { quick, rounds, seed, log } = settings;
  if (process.platform !== "linux") {
    yield { what: "a scenario's job", skipped: "memory can only be read on Linux" };
    return;
  }
  const trees = quick ? 20 : 300;
  const sizes = (process.env.BENCH_ROWS ?? (quick ? "20000" : "1000000")).split(",").map(Number);
  const found = firstPython(({ pandas, psycopg2 }) => pandas !== null && psycopg2 !== null);
  const learners = LEARNERS.filter((one) => found?.versions[one] != null);
  for (const one of LEARNERS)
    if (!learners.includes(one)) yield { what: NAMES[one], skipped: learnerHint(one, "pandas", "psycopg2") };

  using folder = temporaryFolder();
  const dataDir = path.join(folder.path, "data");
  log("  starting a service");
  await using cleanup = new AsyncDisposableStack();
  const service = await startService(dataDir, { DEMO: "0" });
  cleanup.defer(service.stop);
  const databaseUrl = readFileSync(path.join(dataDir, "secrets", "database-url"), "utf8");
  const session = await openSession(service.url);
  const csv = csvOfTable(tableOf(friedmanData(quick ? 500 : 4_000, FEATURES, seed + 1)));
  writeFileSync(path.join(folder.path, "training.csv"), csv);
  const training = Buffer.from(csv).toString("base64");
  const request = requestOfTrees(trees);
  const { at, checkpointId } = await createTrainedProject(session, { training, timestamp: null, request });
  const worker = processOf(service.pid, "worker");

  for (const rowCount of sizes) {
    const file = path.join(folder.path, `rows-${rowCount}.csv`);
    await pipeline(csvRows(rowCount, seed), createWriteStream(file));
    const uploadId = await session.upload(`${at}/uploads`, file);
    const peaks: number[] = [];
    let jobMs = 0;
    const ours: Contender = {
      name: "scenario job",
      async run() {
        const body = { title: "Bench", checkpointId, uploadId };
        const { jobId } = await session.job<{ jobId: string }>(`${at}/scenarios`, body);
        const job = await session.get<{ startedAt: string; finishedAt: string }>(`/jobs/${jobId}`);
        jobMs = Date.parse(job.finishedAt) - Date.parse(job.startedAt);
        peaks.push(takePeak(worker));
      },
      ownMs: () => jobMs,
    };
    await using predictors = new AsyncDisposableStack();
    const answersOf = new Map<string, PythonBatch[]>();
    const others: Contender[] = [];
    for (const learner of learners) {
      const args = ["batch", folder.path, learner, String(trees), String(LEAVES)];
      const { ask, stop } = await startPython(found!.python, args, os.availableParallelism());
      predictors.defer(stop);
      const name = `${NAMES[learner]} ${found!.versions[learner]}, pandas, COPY`;
      const answers: PythonBatch[] = [];
      answersOf.set(name, answers);
      others.push({
        name,
        run: async () => answers.push(await ask<PythonBatch>({ file, url: databaseUrl })),
        ownMs: () => answers.at(-1)!.reading + answers.at(-1)!.inference + answers.at(-1)!.storing,
      });
    }
    const what = `${rowCount.toLocaleString("en")} × ${FEATURES}, ${trees} × ${LEAVES}`;
    const measured = await measure({ what, ours, others, rounds });
    const own = `ours: worker's peak ${Math.max(...peaks).toFixed(0)} MB`;
    const theirs = [...answersOf].map(([name, answers]) => `${name}: ${partsOf(answers)}`);
    yield { ...measured, note: [own, ...theirs].join("; ") };
  }
};

/** Describes the seconds of each part and the peak memory of a Python process. */
function partsOf(answers: PythonBatch[]): string {
  const parts = (["reading", "inference", "storing"] as const).map(
    (part) => `${part} ${(median(answers.map((one) => one[part])) / 1_000).toFixed(2)} s`,
  );
  return `${parts.join(", ")}, peak ${Math.max(...answers.map(({ peak }) => peak)).toFixed(0)} MB`;
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
