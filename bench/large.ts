import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { takePeak } from "../e2e/process-figures.ts";
import { admin, startService } from "../e2e/service.ts";
import { trainingCsv, trainingRows, writeRows } from "./batch.ts";
import { FEATURES } from "./bench-model.ts";
import type { Benchmark, Settings } from "./benchmark.ts";
import { LargeScenario } from "./large-scenario.ts";
import type { Measurement } from "./measure.ts";
import { processOf } from "./process-tree.ts";
import { type Session, signIn } from "./session.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { timeOf, withTimes } from "./timed-rows.ts";

/** Time of the first training row. */
const TRAINING_FROM = Date.UTC(2024, 0, 1);
/** Pause between the other requests that are sent during a step. */
const OTHER_PAUSE_MS = 25;

type Processes = { web: number; worker: number };
/** `waitedMs`: longest wait of another request during the step. */
type Step = { name: string; ms: number; peaks: Processes; waitedMs: number };

/**
 * Measures each step with a scenario by its number of rows, without and with times. Records the duration, the peak
 * memory of web and worker, and the longest wait of another request. Each size runs on a new service.
 */
export const large: Benchmark = async function* (settings) {
  const { quick, log } = settings;
  if (process.platform !== "linux") {
    yield { what: "a large scenario", skipped: "memory can only be read on Linux" };
    return;
  }
  const sizes = (process.env.BENCH_ROWS ?? (quick ? "1000,10000" : "1000000,10000000"))
    .split(",")
    .map(Number);
  for (const timed of [false, true]) {
    const all: Step[][] = [];
    for (const rowCount of sizes) all.push(await runSteps(rowCount, timed, settings));
    log("");
    for (const measurement of measurements(sizes, all))
      yield timed ? { ...measurement, what: `${measurement.what}, with times` } : measurement;
  }
};

/** Yields one measurement per step: the largest size, compared with the smaller ones. */
function* measurements(sizes: readonly number[], all: readonly Step[][]): Generator<Measurement> {
  const largest = sizes.length - 1;
  for (const [at, step] of all[largest]!.entries()) {
    const others = all.slice(0, largest).map((steps, index) => {
      const ratio = step.ms / steps[at]!.ms;
      return {
        name: rows(sizes[index]!),
        medianMs: steps[at]!.ms,
        ratio: { median: ratio, least: ratio, most: ratio },
      };
    });
    const ours = { name: rows(sizes[largest]!), medianMs: step.ms };
    yield { what: step.name, ours, others, rounds: 1, note: noteOf(step) };
  }
}

function noteOf({ peaks: { web, worker }, waitedMs }: Step): string {
  const mb = (value: number) => `${Math.round(value)} MB`;
  return `peak memory: web ${mb(web)}, worker ${mb(worker)}; longest wait of another request: ${Math.round(waitedMs)} ms`;
}

/**
 * Generates rows with the target, for training or as actuals, as CSV in base64.
 *
 * @param from time of the first row in epoch milliseconds; null generates rows without times
 */
function targetRows(from: number | null, settings: Pick<Settings, "quick" | "seed">): string {
  const csv = trainingCsv(settings);
  return Buffer.from(from === null ? csv : [...withTimes([csv], from)].join("")).toString("base64");
}

const rows = (count: number) => `${count.toLocaleString("en")} × ${FEATURES}`;

async function runSteps(rowCount: number, timed: boolean, settings: Settings): Promise<Step[]> {
  const { log, seed, quick } = settings;
  log(`  ${rows(rowCount)}${timed ? " with times" : ""}: a service, a model and a file`);
  using folder = temporaryFolder();
  const file = path.join(folder.path, "rows.csv");
  // Predictions start where the training data ends.
  const from = timed ? timeOf(TRAINING_FROM, trainingRows(settings)) : null;
  await writeRows(file, rowCount, seed, from);
  const service = await startService(path.join(folder.path, "data"));
  try {
    const processes = { web: processOf(service.pid, "web"), worker: processOf(service.pid, "worker") };
    const session = await signIn(service.url, admin);
    const times = from === null ? null : { from, actuals: targetRows(from, { quick, seed: seed + 1 }) };
    const scenario = await LargeScenario.create(session, {
      training: targetRows(timed ? TRAINING_FROM : null, settings),
      trees: quick ? 20 : 300,
      file,
      rowCount,
      times,
    });
    const steps: Step[] = [];
    for (const [name, run] of scenario.steps) {
      steps.push(await follow(name, run, session, processes));
      const step = steps.at(-1)!;
      log(`    ${name}: ${(step.ms / 1e3).toFixed(2)} s; ${noteOf(step)}`);
    }
    return steps;
  } finally {
    await service.stop();
  }
}

async function follow(
  name: string,
  run: () => Promise<unknown>,
  session: Session,
  { web, worker }: Processes,
): Promise<Step> {
  takePeak(web);
  takePeak(worker);
  const others = new OtherRequests(session.url);
  let ms = 0;
  let waitedMs = 0;
  const begin = performance.now();
  try {
    await run();
  } finally {
    ms = performance.now() - begin;
    waitedMs = await others.stop();
  }
  return { name, ms, peaks: { web: takePeak(web), worker: takePeak(worker) }, waitedMs };
}

/** Sends small requests, one after the other, and records the longest wait. */
class OtherRequests {
  #isStopped = false;
  #waitedMs = 0;
  readonly #requests: Promise<void>;

  constructor(url: string) {
    this.#requests = this.#send(url);
  }

  /** Stops the requests. Returns the longest wait in milliseconds. */
  async stop(): Promise<number> {
    this.#isStopped = true;
    await this.#requests;
    return this.#waitedMs;
  }

  async #send(url: string): Promise<void> {
    while (!this.#isStopped) {
      const begin = performance.now();
      await (await fetch(`${url}/api/health/live`)).text();
      this.#waitedMs = Math.max(this.#waitedMs, performance.now() - begin);
      await delay(OTHER_PAUSE_MS);
    }
  }
}
