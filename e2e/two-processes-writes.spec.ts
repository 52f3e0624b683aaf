import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createDatabase, type DatabaseConnection } from "#db/client";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Job } from "#lib/contract/jobs";
import { type Answer, type Call, createProject, type Pair, startPair, tally } from "./two-processes.ts";

// Concurrent writers, half of them on each process.

let pair: Pair;
let database: DatabaseConnection;

test.beforeAll(async () => {
  pair = await startPair();
  const file = path.join(process.env.E2E_DATA_DIR!, "secrets", "database-url");
  database = createDatabase(readFileSync(file, "utf8"), { max: 1 });
});

test.afterAll(() => Promise.all([pair.stop(), database.close()]));

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

/** Creates a project with a trained model: `y = 2 x + 1`. */
async function createTrained(name: string): Promise<{ path: string; key: Call }> {
  const { id, key } = await createProject(pair, name);
  const call = pair.caller({ "x-api-key": key });
  const path = `/api/v1/projects/${id}`;
  const csv = ["x,y", ...times(40, (x) => `${x},${2 * x + 1}`)].join("\n");
  const fileData = Buffer.from(csv).toString("base64");
  expect((await call(0, "PUT", `${path}/dataset`, { body: { fileData, target: "y" } })).status).toBe(200);
  const training = await call(1, "POST", `${path}/models/train`, { body: { algorithm: "ridge" } });
  expect(training.status).toBe(202);
  await jobsOf(path, { type: "TrainModel" });
  return { path, key: call };
}

/** Returns the project's jobs of a type after all of them have ended. */
async function jobsOf(path: string, { type }: { type: string }): Promise<Job[]> {
  const id = path.split("/").at(-1);
  let jobs: Job[] = [];
  await expect
    .poll(
      async () => {
        const answer = await pair.admin(0, "GET", `/api/v1/jobs/project/${id}?type=${type}&limit=200`);
        jobs = answer.data as Job[];
        return jobs.filter(({ status }) => status === "Pending" || status === "Running");
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
  return jobs;
}

test("creates one job and returns the same response for 20 equal POSTs with one Idempotency-Key", async () => {
  const { path, key } = await createTrained("Idempotency");
  const post = (index: number, body: object = { label: "Once" }) =>
    key(index, "POST", `${path}/checkpoints`, { body, headers: { "idempotency-key": "once" } });
  const first = await Promise.all(times(20, (index) => post(index)));
  const later = await Promise.all(times(20, (index) => post(index)));

  const accepted = [...first, ...later].filter(({ status }) => status === 202);
  expect(accepted.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
  expect(tally(later)).toEqual({ "202": 20 });
  for (const { status, code, headers } of first.filter(({ status }) => status !== 202)) {
    expect([status, code, headers["retry-after"]]).toEqual([409, "idempotency_in_progress", "1"]);
  }
  expect(tally(await Promise.all(times(4, (index) => post(index, { label: "Other" }))))).toEqual({
    "422 idempotency_mismatch": 4,
  });
  expect(await jobsOf(path, { type: "CreateCheckpoint" })).toHaveLength(1);
});

test("applies exactly one of 20 PUTs with the same If-Match, and returns 412 for the others", async () => {
  const { path, key } = await createTrained("Preconditions");
  const made = await key(0, "POST", `${path}/checkpoints`, { body: {} });
  await jobsOf(path, { type: "CreateCheckpoint" });
  const { checkpointId } = made.data as { checkpointId: string };
  const checkpoint = `${path}/checkpoints/${checkpointId}`;
  const { headers } = await key(1, "GET", checkpoint);
  const answers = await Promise.all(
    times(20, (index) =>
      key(index, "PUT", checkpoint, {
        body: { description: `Written by ${index}` },
        headers: { "if-match": headers.etag! },
      }),
    ),
  );
  expect(tally(answers)).toEqual({ "200": 1, "412 precondition_failed": 19 });
  const winner = answers.find(({ status }) => status === 200)!;
  const { text, headers: now } = await key(0, "GET", checkpoint);
  expect([text, now.etag]).toEqual([winner.text, winner.headers.etag]);
});

test("keeps 20 checkpoints with unique labels and one default for 60 concurrent writers", async () => {
  const { path, key } = await createTrained("Limits");
  const answers = await Promise.all(
    times(60, (index) =>
      key(index, "POST", `${path}/checkpoints`, {
        body: { setAsDefault: index % 3 === 0, ...(index % 2 ? {} : { label: `Writer ${index}` }) },
      }),
    ),
  );
  expect(tally(answers)).toEqual({ "202": 20, "400 checkpoint_limit_reached": 40 });

  const jobs = await jobsOf(path, { type: "CreateCheckpoint" });
  expect(jobs.map(({ status }) => status)).toEqual(times(20, () => "Completed"));
  const listed = (await key(1, "GET", `${path}/checkpoints`)).data as Checkpoint[];
  const ids = answers.flatMap(({ data }) => (data as { checkpointId?: string } | null)?.checkpointId ?? []);
  expect(listed.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(listed.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  const [stored] = await database.sql`
    select count(*)::int as rows, count(distinct slot)::int as slots, count(distinct label)::int as labels,
      count(distinct folder_name)::int as folders, count(*) filter (where is_default)::int as defaults,
      count(*) filter (where state = 'ready')::int as ready
    from checkpoints where project_id = ${path.split("/").at(-1)!}`;
  expect(stored).toEqual({ rows: 20, slots: 20, labels: 20, folders: 20, defaults: 1, ready: 20 });
});

test("gives a label to exactly one of 20 concurrent writers", async () => {
  const { path, key } = await createTrained("Labels");
  const answers: Answer[] = await Promise.all(
    times(20, (index) => key(index, "POST", `${path}/checkpoints`, { body: { label: "The one" } })),
  );
  expect(tally(answers)).toEqual({ "202": 1, "400 duplicate_label": 19 });
});
