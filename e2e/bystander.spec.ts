import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import postgres from "postgres";
import { playShort, type ShortRun } from "./bystander/short.ts";
import { nicenessOf } from "./process-figures.ts";

// A hostile tenant plays every operation of the API with its most expensive requests, beside another tenant who predicts
// single rows and runs small jobs. `npm run fuzz -- --bystander` plays larger ones, and measures how long they take.

/** Memory of all processes without PostgreSQL once the hostile tenant has ended, in megabytes. */
const budgetMb = 1_800;

test.describe.configure({ mode: "serial", timeout: 300_000 });

let run: ShortRun;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  run = await playShort(() => {});
});

test.afterAll(() => run?.stop());

test("accepts the expensive requests of every operation, without a server error", () => {
  const byOperation = Object.entries(Object.groupBy(run.played, ({ operation }) => operation));
  const rejected = byOperation.filter(([, calls]) => !calls!.some(({ status }) => status < 300));
  expect(rejected.map(([, calls]) => calls![0])).toEqual([]);
  expect(run.played.filter(({ status }) => status >= 500)).toEqual([]);
});

test("answers every call of the bystander meanwhile", async () => {
  const seen = await run.neighbour.take();
  expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
  expect(new Set(seen.map(({ name }) => name))).toEqual(new Set(["own model", "imported model", "health"]));
});

test("completes the bystander's jobs at their first attempt, while jobs of the hostile project run", async () => {
  const { system, neighbour, world } = run;
  const sql = postgres(system.databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const lost = await sql`
      select type, status, attempt, error_message from jobs
      where project_id = any(${neighbour.projects}) and (status <> 'Completed' or attempt <> 1)`;
    expect([...lost]).toEqual([]);
    const types = await sql<{ type: string }[]>`
      select distinct own.type from jobs as own, jobs as hostile
      where own.project_id = any(${neighbour.projects}) and hostile.project_id = ${world.projectId}
        and own.started_at > hostile.started_at and own.finished_at < hostile.finished_at
      order by own.type`;
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["CreateCheckpoint", "CreateScenario", "TrainModel"]),
    );
  } finally {
    await sql.end();
  }
});

test("keeps the runtime of imported models out of processes that serve requests and jobs", () => {
  const serving = run.system.processes().filter(({ title }) => /^(web|worker) of /.test(title));
  expect(serving).toHaveLength(3);
  for (const { pid, title } of serving)
    expect(readFileSync(`/proc/${pid}/maps`, "utf8"), title).not.toContain("onnxruntime");
});

test("gives jobs a lower priority than requests", () => {
  const processes = run.system.processes();
  const nicenessesOf = (part: string) =>
    processes.filter(({ title }) => title.startsWith(`${part} of `)).map(({ pid }) => nicenessOf(pid));
  const given = Math.max(5, ...nicenessesOf("web"));
  expect(nicenessesOf("worker")).toEqual([given, given]);
});

test("returns the memory", async () => {
  const total = () => run.system.processes().reduce((sum, { megabytes }) => sum + megabytes, 0);
  await expect.poll(total, { timeout: 120_000, intervals: [1_000] }).toBeLessThan(budgetMb);
});
