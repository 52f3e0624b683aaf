// `991c92e9.json.gz` is the data of a service of commit 991c92e9, which had only the initial migration.
// `keep-service.db.test.ts` wrote it with the code of that commit: it fills an empty service through the API
// (`createServiceData`), makes the backup of `npm run backup`, and records answers (`callsOf`). The file never changes,
// because it is what users have.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { migrate } from "#db/migrate";
import type { Dataset } from "#lib/contract/datasets";
import type { Job } from "#lib/contract/jobs";
import type { Scenario } from "#lib/contract/scenarios";
import { readContents } from "#lib/platform/backup/backup-folder";
import { restore } from "#lib/platform/backup/restore";
import { store } from "#lib/platform/storage/store";
import { checkInvariants } from "../invariants.ts";
import { createTestDatabase } from "../postgres.ts";
import { startWorkerHere } from "../worker-process.ts";
import { callService, signIn } from "./call-service.ts";
import { migrateTo } from "./migrate-to.ts";
import { unpackService } from "./packed-service.ts";
import { perform, type RecordedCall } from "./recorded-calls.ts";

const folder = path.join(process.env.DATA_DIR!, "backup");
const packed = readFileSync(path.join(import.meta.dirname, "991c92e9.json.gz"));
const { data, calls } = unpackService(packed, folder);

const { sql, url } = await createTestDatabase({}, "template0");

/** Tables that have rows in the earlier version, among others. */
const filled = ["models", "checkpoints", "scenarios", "jobs", "api_keys", "uploads", "outbox_events"];

/** Places of the earlier tables' columns in this version: each scenario has one run, with its ID. */
const present: Record<string, string> = {
  scenarios: `(
    select s.*, r.checkpoint_id, r.job_id, r.end_date, r.input_key, r.row_count, r.first_timestamp, r.last_timestamp, r.summary,
      r.intervals, r.totals, r.warnings
    from scenarios s join scenario_runs r on r.id = s.id and r.id = s.shown_run_id)`,
  scenario_checkpoints: "(select run_id as scenario_id, * from scenario_checkpoints)",
  prediction_chunks: "(select run_id as scenario_id, * from prediction_chunks)",
};

/**
 * Returns every row of the tables of the backup, as JSON without columns that the backup lacks.
 *
 * @param places tables and subqueries that have the columns now
 */
async function rowsOf(
  tables: readonly { name: string; columns: string[] }[],
  places: Record<string, string> = {},
): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name, columns } of tables) {
    const place = places[name] === undefined ? sql(name) : sql.unsafe(places[name]);
    const rows = await sql<{ row: string }[]>`
      select to_jsonb(t)::text as row from (select ${sql(columns)} from ${place} as stored) t order by 1`;
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

test("migrations keep every row of an earlier version", async () => {
  const { migration, tables } = await readContents(folder);
  await migrateTo(sql, migration, path.join(process.env.DATA_DIR!, "earlier"));
  await restore(sql, store(), folder);
  const before = await rowsOf(tables);
  expect(filled.filter((table) => before[table]!.length === 0)).toEqual([]);
  await migrate(url);
  expect(await rowsOf(tables, present)).toEqual(before);
});

/** Removes the requests of API keys by day, because those days end today. */
const withoutDays = (call: RecordedCall): RecordedCall =>
  JSON.parse(JSON.stringify(call, (name, value: unknown) => (name === "requests" ? undefined : value)));

test("members sign in as before, and all answers contain the earlier ones, to the bit", async () => {
  const now = await perform(data, calls);
  expect(now).toHaveLength(calls.length);
  for (const [index, earlier] of calls.entries()) expect(now[index]).toMatchObject(withoutDays(earlier));
});

test("an earlier upload becomes a dataset", async () => {
  const { demand, uploadId } = data;
  const body = { uploadId, target: "demand" };
  const put = await callService<Dataset>(await signIn(data.member), `PUT /projects/${demand}/dataset`, {
    body,
  });
  expect(put.data.rowCount).toBe(3);
});

/** Changes a resource with the tag of its read, and returns the tag of the answer. */
async function changeWithTag(method: string, path: string, body?: object): Promise<string | null> {
  const as = await signIn(data.admin);
  const { headers } = await callService(as, `GET ${path}`);
  const changed = await callService(as, `${method} ${path}`, {
    ...(body && { body }),
    headers: { "if-match": headers.get("etag")! },
  });
  return changed.headers.get("etag");
}

test("the tag of a read permits a change of every kind of resource, and the change returns the next tag", async () => {
  const { demand, scenarioIds, comparisonId, checkpointId } = data;
  const as = await signIn(data.admin);
  const { data: members } = await callService<{ id: string }[]>(as, "GET /members");
  const project = `/projects/${demand}`;
  const changes: [method: string, path: string, body: object][] = [
    ["PATCH", project, { description: "Changed" }],
    ["PUT", `${project}/checkpoints/${checkpointId}`, { description: "Changed" }],
    ...scenarioIds.map((id): (typeof changes)[number] => [
      "PATCH",
      `${project}/scenarios/${id}`,
      { notes: "Changed" },
    ]),
    ["PATCH", `${project}/comparisons/${comparisonId}`, { name: "Changed" }],
    ["PATCH", `${project}/dataset`, { exclude: [] }],
    ["PATCH", `/members/${members[0]!.id}`, { name: "Changed" }],
  ];
  for (const [method, path, body] of changes) {
    const tag = await changeWithTag(method, path, body);
    expect(tag, path).toBe((await callService(as, `GET ${path}`)).headers.get("etag"));
  }
});

test("the waiting job runs, with the predictions that its twin got in the earlier version", async () => {
  const { demand, waitingJobId, scenarioIds } = data;
  const as = await signIn(data.member);
  const job = async () => (await callService<Job>(as, `GET /jobs/${waitingJobId}`)).data;
  expect((await job()).status).toBe("Pending");
  await using _worker = await startWorkerHere();
  await expect.poll(async () => (await job()).status, { timeout: 20_000 }).toBe("Completed");
  const summaryOf = async (scenarioId: string) =>
    (await callService<Scenario>(as, `GET /projects/${demand}/scenarios/${scenarioId}`)).data.summary;
  expect(await summaryOf((await job()).scenarioId!)).toEqual(await summaryOf(scenarioIds[1]));
  await checkInvariants(sql);
});

test("the tags of reads permit to end a key and to delete a scenario", async () => {
  const { demand, scenarioIds } = data;
  const as = await signIn(data.admin);
  const { data: keys } = await callService<{ id: string }[]>(as, `GET /projects/${demand}/api-keys`);
  await changeWithTag("DELETE", `/projects/${demand}/api-keys/${keys[0]!.id}`);
  await changeWithTag("DELETE", `/projects/${demand}/scenarios/${scenarioIds[1]}`);
});
