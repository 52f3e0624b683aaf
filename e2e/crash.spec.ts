import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { createDatabase, type DatabaseConnection } from "#db/client";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { streamFileName } from "#lib/platform/storage/artifact-store";
import { LocalStore } from "#lib/platform/storage/local-store";
import { checkInvariants } from "#testing/invariants";
import { createDataFolder } from "#testing/run-folder";
import { type Acknowledged, acknowledged, createTrained, createUntilGone, signedIn } from "./crash-load.ts";
import { ownPort } from "./own-port.ts";
import { startService, type TestService } from "./service.ts";

// Simulates a crash of the whole machine at any moment: `CRASH_ROUNDS=20 CRASH_SEED=7 npx playwright test e2e/crash.spec.ts`

const rounds = Number(process.env.CRASH_ROUNDS ?? 1);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);

let folder: string;
let service: TestService | undefined;
let database: DatabaseConnection;

test.afterAll(async () => {
  await database?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a process and all its descendants. */
function treeOf(root: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const parents = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const tree = [root];
  for (const pid of tree)
    tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

/** Kills all processes at the same moment. First halts them, so no process reacts to the end of another. */
function killAll(root: number): void {
  const signal = (name: "SIGSTOP" | "SIGKILL") => {
    for (const pid of treeOf(root).reverse()) {
      try {
        process.kill(pid, name);
      } catch {} // The process has ended meanwhile.
    }
  };
  signal("SIGSTOP");
  signal("SIGKILL");
}

/** @returns the jobs that the service has not acknowledged yet */
async function openJobs({ jobs }: Acknowledged): Promise<number> {
  const [row] = await database.sql`
    select ${jobs.length} - count(*)::int as open from jobs where id = any(${jobs}) and finished_at is not null`;
  return row!.open as number;
}

/** Asserts that all acknowledged rows and bytes exist and that every job has completed. */
async function expectAll(noted: Acknowledged): Promise<void> {
  const { sql } = database;
  const counts = await sql`select
    (select count(*)::int from projects where id = any(${noted.projects})) as projects,
    (select count(*)::int from checkpoints where id = any(${noted.checkpoints}) and state = 'ready') as checkpoints,
    (select count(*)::int from scenarios where id = any(${noted.scenarios})) as scenarios,
    (select count(*)::int from uploads where id = any(${[...noted.uploads.keys()]})) as uploads`;
  const { projects, checkpoints, scenarios, uploads, jobs } = noted;
  expect(counts[0]).toEqual({
    projects: projects.length,
    checkpoints: checkpoints.length,
    scenarios: scenarios.length,
    uploads: uploads.size,
  });
  expect(
    await sql`select type, error_code, error_message from jobs where id = any(${jobs}) and status <> 'Completed'`,
  ).toEqual([]);
  const store = new LocalStore(path.join(folder, "data", "artifacts"));
  const stored = await sql`select id, artifact_key from uploads where id = any(${[...uploads.keys()]})`;
  for (const { id, artifact_key: key } of stored) {
    const content = await store.readFile(key, streamFileName);
    expect(createHash("sha256").update(content).digest("hex")).toBe(uploads.get(id));
  }
  await checkInvariants(sql);
}

test(`keeps all acknowledged data after kill -9 of every process, ${rounds} times`, async () => {
  console.log(`CRASH_SEED=${seed}`);
  test.setTimeout(rounds * 300_000);
  folder = createDataFolder("forkcast-e2e-");
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const ports = { PORT: String(await ownPort()), REALTIME_PORT: String(await ownPort()) };
  const start = async () => {
    service = await startService(dataDir, { DEMO: "0", LOG_LEVEL: "warn", ...ports });
    await database?.close();
    database = createDatabase(readFileSync(path.join(dataDir, "secrets", "database-url"), "utf8").trim());
    return service;
  };
  const random = seededRandom(seed);
  const noted = acknowledged();
  await start();
  for (let round = 1; round <= rounds; round++) {
    const { url, pid, exited } = service!;
    const call = await signedIn(url);
    const projectId = await createTrained(call, noted);
    const writing = createUntilGone(call, projectId, random, noted);
    const lifeMs = 200 + random.below(3_000);
    await delay(lifeMs);
    killAll(pid);
    await Promise.all([writing, exited]);
    service = undefined;

    const startedMs = performance.now();
    await start();
    const readyMs = performance.now() - startedMs;
    await expect.poll(() => openJobs(noted), { timeout: 90_000 }).toBe(0);
    const doneMs = performance.now() - startedMs;
    await expectAll(noted);
    const seconds = (ms: number) => (ms / 1_000).toFixed(1);
    console.log(
      `round ${round}: killed after ${seconds(lifeMs)} s; ready after ${seconds(readyMs)} s, all jobs done after ${seconds(doneMs)} s; ` +
        `so far ${noted.uploads.size} uploads, ${noted.scenarios.length} scenarios, ${noted.checkpoints.length} checkpoints, ${noted.jobs.length} jobs`,
    );
  }
});
