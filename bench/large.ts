import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { admin, startService } from "../e2e/service.ts";
import { trainingCsv, trainingRows, writeRows } from "./batch.ts";
import { FEATURES } from "./bench-model.ts";
import type { Benchmark, Settings } from "./benchmark.ts";
import { LargeScenario } from "./large-scenario.ts";
import type { Measurement } from "./measure.ts";
import { processOf, takePeak } from "./process-tree.ts";
import { type Session, signIn } from "./session.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { timeOf, withTimes } from "./timed-rows.ts";

/** Of the first row that is learned from. */
const LEARNED_FROM = Date.UTC(2024, 0, 1);
/** How often another request is made while something is done. */
const OTHER_EVERY_MS = 25;

type Processes = { web: number; worker: number };
type Step = { name: string; ms: number; peaks: Processes; waitedMs: number };

/**
 * Everything that is done with a scenario, of ever more rows, and of as many that have times: seconds, the most memory of
 * web and worker, and how long another request had to wait meanwhile. Each has a service of its own that has done nothing
 * before.
 */
export const large: Benchmark = async function* (settings) {
  const { quick, say } = settings;
  const what = "a large scenario";
  if (process.platform !== "linux") {
    yield { what, skipped: "memory is read as Linux tells it" };
    return;
  }
  if (!existsSync(path.join(import.meta.dirname, "..", ".next", "BUILD_ID"))) {
    yield { what, skipped: "the web pages are not built: npm run build" };
    return;
  }
  const sizes = (process.env.BENCH_ROWS ?? (quick ? "1000,10000" : "1000000,10000000"))
    .split(",")
    .map(Number);
  for (const timed of [false, true]) {
    const all: Step[][] = [];
    for (const rowCount of sizes) all.push(await stepsOf(rowCount, timed, settings));
    say("");
    for (const measurement of measurements(sizes, all))
      yield timed ? { ...measurement, what: `${measurement.what}, with times` } : measurement;
  }
};

function* measurements(sizes: readonly number[], all: readonly Step[][]): Generator<Measurement> {
  const most = sizes.length - 1;
  for (const [at, step] of all[most]!.entries()) {
    const others = all.slice(0, most).map((steps, index) => {
      const ratio = step.ms / steps[at]!.ms;
      return {
        name: rows(sizes[index]!),
        medianMs: steps[at]!.ms,
        ratio: { median: ratio, least: ratio, most: ratio },
      };
    });
    const ours = { name: rows(sizes[most]!), medianMs: step.ms };
    yield { what: step.name, ours, others, rounds: 1, note: noteOf(step) };
  }
}

function noteOf({ peaks: { web, worker }, waitedMs }: Step): string {
  const mb = (value: number) => `${Math.round(value)} MB`;
  return `web at most ${mb(web)}, worker ${mb(worker)}; another request waited ${Math.round(waitedMs)} ms at most`;
}

/**
 * Rows with the target, to be learned from or to come true, as CSV in base64.
 *
 * @param from time of the first one, as of `withTimes`; null: they have none
 */
function knownRows(from: number | null, settings: Pick<Settings, "quick" | "seed">): string {
  const csv = trainingCsv(settings);
  return Buffer.from(from === null ? csv : [...withTimes([csv], from)].join("")).toString("base64");
}

const rows = (count: number) => `${count.toLocaleString("en")} × ${FEATURES}`;

async function stepsOf(rowCount: number, timed: boolean, settings: Settings): Promise<Step[]> {
  const { say, seed, quick } = settings;
  say(`  ${rows(rowCount)}${timed ? " with times" : ""}: a service, a model and a file`);
  using folder = temporaryFolder();
  const file = path.join(folder.path, "rows.csv");
  // What is predicted begins where what is known ends.
  const from = timed ? timeOf(LEARNED_FROM, trainingRows(settings)) : null;
  await writeRows(file, rowCount, seed, from);
  const service = await startService(path.join(folder.path, "data"));
  try {
    const processes = { web: processOf(service.pid, "web"), worker: processOf(service.pid, "worker") };
    const session = await signIn(service.url, admin);
    const times = from === null ? null : { from, actuals: knownRows(from, { quick, seed: seed + 1 }) };
    const scenario = await LargeScenario.create(session, {
      learned: knownRows(timed ? LEARNED_FROM : null, settings),
      trees: quick ? 20 : 300,
      ...{ file, rowCount, times },
    });
    const steps: Step[] = [];
    for (const [name, run] of scenario.steps) {
      steps.push(await follow(name, run, session, processes));
      const step = steps.at(-1)!;
      say(`    ${name}: ${(step.ms / 1e3).toFixed(2)} s; ${noteOf(step)}`);
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

/** Asks for next to nothing, again and again. */
class OtherRequests {
  #isOver = false;
  #waitedMs = 0;
  readonly #asking: Promise<void>;

  constructor(url: string) {
    this.#asking = this.#ask(url);
  }

  /** @returns the longest wait */
  async stop(): Promise<number> {
    this.#isOver = true;
    await this.#asking;
    return this.#waitedMs;
  }

  async #ask(url: string): Promise<void> {
    while (!this.#isOver) {
      const begin = performance.now();
      await (await fetch(`${url}/api/health/live`)).text();
      this.#waitedMs = Math.max(this.#waitedMs, performance.now() - begin);
      await delay(OTHER_EVERY_MS);
    }
  }
}
