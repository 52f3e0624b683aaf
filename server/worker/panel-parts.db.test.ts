import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { models } from "#db/schema/models";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { readJob } from "#lib/domain/jobs/find-job";
import { requestTraining } from "#lib/domain/models/request-training";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { store } from "#lib/platform/storage/store";
import { createProject, testContext } from "#testing/api";
import { checkInvariants } from "#testing/invariants";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64 } from "#testing/scenario-factory";
import { checkStoredFiles } from "#testing/stored-files";
import { startWorkerHere, startWorkerProcess } from "#testing/worker-process";

const test = await createTestDatabase();
const { db, sql } = test;
const databaseUrl = test.url;
// Trains several panels, and waits for the lease of a killed worker.
vi.setConfig({ testTimeout: 5 * 60_000 });
const soon = { interval: 10, timeout: 2 * 60_000 };
/** The fewest series whose two fits are divided, into two parts each. */
const SERIES = 500;
const PARTS = 4;
/** Fits of more days take longer, and divide no further. */
const DAYS = 30;

const job = async (id: string) => (await readJob(db, id))!;

/**
 * Notes begins and fits of parts by a trigger, because the end of a job deletes its parts. A part that pg-boss returns to the
 * queue before it begins, because its project has its share, keeps its number of retries.
 */
beforeAll(async () => {
  await jobSender();
  await sql.unsafe(`
    create table part_events (id uuid, state text, retries int, primary key (id, state, retries));
    create function note_part() returns trigger language plpgsql as $$ begin
      insert into part_events values (new.id, new.state, new.retry_count) on conflict do nothing; return new; end $$;
    create trigger note_part after update on pgboss.job for each row when (new.name = 'parts' and new.state <> old.state
      and (new.state = 'active' or new.state = 'completed' and new.output ? 'key')) execute function note_part()`);
});

afterEach(async () => {
  await checkInvariants(sql);
  await checkStoredFiles(sql, store());
  await sql`truncate part_events`;
});

async function panelProject(seriesCount = SERIES): Promise<string> {
  const { id: projectId } = await createProject();
  const rows = Array.from({ length: seriesCount * DAYS }, (_, at) => {
    const [series, day] = [Math.floor(at / DAYS), at % DAYS];
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
    return `${date},s${series % 25},i${Math.floor(series / 25)},${20 + (series % 7) + (day % 7) + ((at * 7_919) % 11)}`;
  });
  const fileData = base64(`date,store,item,sales\n${rows.join("\n")}\n`);
  const settings = { target: "sales", timestamp: "date", series: ["store", "item"] };
  await putDataset(testContext(), { projectId, fileData, ...settings });
  return projectId;
}

const train = async (projectId: string) =>
  (await requestTraining(testContext(), { projectId, request: {} })).jobId;

async function count(state: "active" | "completed"): Promise<number> {
  const [row] = await sql`select count(*)::int as count from part_events where state = ${state}`;
  return row!.count;
}

const partFolders = async (projectId: string) =>
  (await keptFolders(`projects/${projectId}`)).filter((key) => key.includes("/parts/"));

async function expectNoParts(projectId: string): Promise<void> {
  expect(await sql`select id from pgboss.job where name = 'parts'`).toEqual([]);
  await expect.poll(() => partFolders(projectId), soon).toEqual([]);
}

it("another worker continues a training whose worker was killed, repeats no fit, and makes the bits of one process", async () => {
  const projectId = await panelProject();
  await using first = startWorkerProcess({ databaseUrl });
  await first.says("the worker takes jobs");
  const jobId = await train(projectId);
  await expect.poll(() => count("completed"), soon).toBeGreaterThan(0);
  first.child.kill("SIGKILL");
  await first.ended;
  const diedAt = performance.now();
  const done = await sql`select id from part_events where state = 'completed'`;
  expect(done.length).toBeLessThan(PARTS);
  const [open] =
    await sql`select count(*)::int as count from pgboss.job where name = 'parts' and state <> 'completed'`;
  expect(open!.count).toBe(PARTS - done.length);

  {
    await using _second = await startWorkerHere();
    await expect.poll(async () => (await job(jobId)).attempt, soon).toBe(2);
    expect(performance.now() - diedAt).toBeLessThan(30_000);
    await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Completed", attempt: 2 });
  }
  expect(await count("completed")).toBe(PARTS);
  const repeated = await sql`
    select id from part_events where state = 'active' group by id having count(*) > 1`;
  expect(repeated.map(({ id }) => id)).not.toEqual(expect.arrayContaining(done.map(({ id }) => id)));
  await expectNoParts(projectId);

  // No worker takes these parts, so the training fits them itself.
  const again = await train(projectId);
  expect(await runJobHere(again)).toMatchObject({ status: "Completed", attempt: 1 });
  expect(await count("completed")).toBe(PARTS);
  await expectNoParts(projectId);
  const trained = await db
    .select({ key: models.artifactKey })
    .from(models)
    .where(eq(models.projectId, projectId));
  const learners = trained.map(
    async ({ key }) => (await store().readManifest(key)).files["learner.json"]!.sha256,
  );
  expect(trained).toHaveLength(2);
  expect(new Set(await Promise.all(learners)).size).toBe(1);
});

it("several workers fit the parts of one training, which goes on when one of them is killed", async () => {
  // More parts than one worker fits at a time.
  const projectId = await panelProject(2 * SERIES);
  const env = { LOG_LEVEL: "debug" };
  await using one = startWorkerProcess({ databaseUrl, env });
  await using other = startWorkerProcess({ databaseUrl, env });
  const workers = [one, other];
  await Promise.all(workers.map((worker) => worker.says("the worker takes jobs")));
  const jobId = await train(projectId);
  const owner = await Promise.race(workers.map((worker) => worker.says("begins").then(() => worker)));
  const helper = workers.find((worker) => worker !== owner)!;
  await Promise.all(workers.map((worker) => worker.says("a part is fitted")));
  helper.child.kill("SIGKILL");
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Completed", attempt: 1 });
  expect(await count("completed")).toBe(2 * PARTS);
});

it("the end of a cancelled training ends its parts and deletes their files", async () => {
  const projectId = await panelProject();
  await using _worker = await startWorkerHere();
  const jobId = await train(projectId);
  await expect.poll(() => count("completed"), soon).toBeGreaterThan(0);
  await cancelJob(testContext(), { jobId }, abandonOf);
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Cancelled" });
  await expectNoParts(projectId);
});

it("the deletion of a project deletes the parts of its training", async () => {
  const projectId = await panelProject();
  await using _worker = await startWorkerHere();
  const jobId = await train(projectId);
  await expect.poll(() => count("completed"), soon).toBeGreaterThan(0);
  const removal = await deleteProject(testContext(), { projectId });
  await expect.poll(() => job(removal.jobId), soon).toMatchObject({ status: "Completed" });
  await expect.poll(() => job(jobId), soon).toMatchObject({ status: "Cancelled" });
  await expectNoParts(projectId);
});
