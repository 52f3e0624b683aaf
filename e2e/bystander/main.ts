// `npm run fuzz -- --bystander --seed 7 --minutes 20`: a hostile tenant plays every operation with its most expensive
// requests, while another tenant predicts single rows. Prints how long these take, by hostile request.

import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { createWorld, longSizes, shortSizes } from "./hostile-world.ts";
import { type Measured, measureCall, printTables, problemsOf } from "./measure.ts";
import { startNeighbour } from "./neighbour.ts";
import { hostileOperations } from "./operations.ts";
import { operationsOf } from "./play.ts";
import { startSystem } from "./system.ts";
import { Tenant } from "./tenant.ts";

/** Output of the processes of the last run. */
const outputFile = path.resolve(import.meta.dirname, "..", "..", ".test-data", "bystander.log");

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "20" },
    /** Part of the names of the operations to play. */
    only: { type: "string", default: "" },
    short: { type: "boolean", default: false },
  },
});
const startedMs = Date.now();
const log = (text: string) =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(1).padStart(6)} s  ${text}`);

const system = await startSystem();
const problems: string[] = [];
try {
  const hostile = await Tenant.signedIn(system.url);
  const neighbour = await startNeighbour(system.url, hostile, 10);
  // Real callers run on other machines. These leave the processor to the service and to the bystander.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  log("the bystander predicts");
  const operations = shuffled(await operationsOf(system.url)).filter((name) => name.includes(values.only));
  const world = await createWorld(hostile, values.short ? shortSizes : longSizes, log);
  const calls: { operation: string; at: number; title: string }[] = [];
  for (const operation of operations)
    for (const [at, { title = "" }] of (await hostileOperations[operation]!(world)).entries())
      calls.push({ operation, at, title });
  const windowMs = Math.max(2_000, Math.round((Number(values.minutes) * 60_000) / (calls.length + 1)));
  log(`${calls.length} requests, each for ${(windowMs / 1_000).toFixed(1)} s`);
  const jobs = new AbortController();
  const running = neighbour.runJobs(jobs.signal).catch((error) => void problems.push(`a job: ${error}`));
  const measured: Measured[] = [];
  for (const call of [null, ...calls]) {
    const one = await measureCall({ world, neighbour, system }, call, windowMs);
    measured.push(one);
    log(one.line);
  }
  jobs.abort();
  log(`the bystander ran ${await running} jobs`);
  console.log(printTables(measured));
  problems.push(...problemsOf(measured));
  await neighbour.stop();
} catch (error) {
  problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
mkdirSync(path.dirname(outputFile), { recursive: true });
writeFileSync(outputFile, system.output());
await system.stop();
log(problems.length === 0 ? "passed" : `${problems.length} problems:\n${problems.join("\n")}`);
log(`output of the processes: ${outputFile}`);
process.exitCode = problems.length > 0 ? 1 : 0;

function shuffled(names: string[]): string[] {
  const random = seededRandom(Number(values.seed));
  return names
    .map((name) => ({ name, place: random.below(1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);
}
