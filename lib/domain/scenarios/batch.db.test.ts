import { eq, inArray } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { outboxEvents } from "#db/schema/jobs";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { retryOf } from "#lib/domain/job-handlers/handler-registry";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { copyFolder } from "#lib/platform/storage/copy-folder";
import { store } from "#lib/platform/storage/store";
import { createKey, createProject, testContext } from "#testing/api";
import { checkInvariants } from "#testing/invariants";
import { keptFolders } from "#testing/kept-folders";
import { createModel, type ModelRow } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere, runJobsHere } from "#testing/run-jobs";
import { base64, getScenario, postScenario, type TrainedProject } from "#testing/scenario-factory";
import { deleteScenario } from "./delete-scenario.ts";

const copy = (from: string, to: string) =>
  copyFolder({ store: store(), key: from }, { store: store(), key: to });

const { db, sql } = await createTestDatabase();
const ctx = testContext();

type Project = TrainedProject & { model: ModelRow | null };

async function createOne(upstreamIds: readonly string[] = [], trained = true): Promise<Project> {
  const { id: projectId } = await createProject();
  const model = trained ? await createModel({ projectId }) : null;
  const dependencies = upstreamIds.map((id, index) => ({ projectId: id, featureName: `up${index}` }));
  await setDependencies(ctx, { projectId, dependencies });
  return { projectId, as: await createKey({ projectId }), model };
}

/** The main project and its two upstream projects: one direct, one through the first. */
type Batch = { main: Project; near: Project; far: Project; all: Project[] };

async function createBatch({ untrained }: { untrained?: "main" | "near" | "far" } = {}): Promise<Batch> {
  const far = await createOne([], untrained !== "far");
  const near = await createOne([far.projectId], untrained !== "near");
  const main = await createOne([near.projectId, far.projectId], untrained !== "main");
  return { main, near, far, all: [main, near, far] };
}

function post({ main, near, far }: Batch, body: object = {}) {
  const dependentProjectCheckpoints = { [far.projectId]: null, [near.projectId]: null };
  return postScenario(main, { fileData: base64("temp,wind\n1,2\n"), dependentProjectCheckpoints, ...body });
}

async function fill({ projectId }: Project): Promise<void> {
  for (let count = 0; count < 20; count++) await createCheckpoint(ctx, { projectId });
}

/** Counts of all stored rows and folders. */
async function everything({ all }: Batch) {
  const tables = ["checkpoints", "checkpoint_dependencies", "scenarios", "scenario_checkpoints", "jobs"];
  const counts = [...tables, "outbox_events", "audit_log", "pgboss.job"].map(async (table) => {
    const [row] = await sql.unsafe(`select count(*) from ${table}`);
    return [table, row!.count];
  });
  const folders = all.map(({ projectId }) => keptFolders(`projects/${projectId}`));
  return { counts: await Promise.all(counts), folders: await Promise.all(folders) };
}

describe("a batch with a checkpoint that cannot be reserved", () => {
  it.each<[why: string, code: string, arrange: () => Promise<[Batch, object?]>]>([
    [
      "an upstream project has no model",
      "dependency_has_no_model",
      async () => [await createBatch({ untrained: "far" })],
    ],
    [
      "the project in between has none",
      "dependency_has_no_model",
      async () => [await createBatch({ untrained: "near" })],
    ],
    ["the main project has none", "no_trained_model", async () => [await createBatch({ untrained: "main" })]],
    ...(["main", "near", "far"] as const).map((name): [string, string, () => Promise<[Batch]>] => [
      `the ${name} project has 20`,
      "checkpoint_limit_reached",
      async () => {
        const batch = await createBatch();
        await fill(batch[name]);
        return [batch];
      },
    ]),
    [
      "the label is taken",
      "duplicate_label",
      async () => {
        const batch = await createBatch();
        await createCheckpoint(ctx, { projectId: batch.main.projectId, label: "Taken" });
        return [batch, { checkpointLabel: "Taken" }];
      },
    ],
  ])("because %s, leaves nothing in any project", async (_, code, arrange) => {
    const [batch, body] = await arrange();
    const before = await everything(batch);
    const answer = await post(batch, body);
    expect([answer.status, answer.error?.code]).toEqual([400, code]);
    expect(await everything(batch)).toEqual(before);
    await checkInvariants(sql);
  });
});

describe("a batch with a checkpoint whose copy fails permanently", () => {
  let batch: Batch;
  beforeAll(async () => {
    batch = await createBatch();
  });
  beforeEach(() => checkInvariants(sql));

  it.each(["main", "near", "far"] as const)(
    "leaves no checkpoint, and the job states the reason, if the %s project's model is missing",
    async (name) => {
      const { artifactKey } = batch[name].model!;
      const answer = await post(batch, { checkpointLabel: "Batch" });
      await copy(artifactKey, "aside");
      await store().deleteFolder(artifactKey);
      for (let attempt = 1; attempt <= 2; attempt++) {
        await expect(runJobHere(answer.data.jobId)).rejects.toThrow();
      }
      const failed = await runJobHere(answer.data.jobId);
      expect(failed).toMatchObject({ status: "Failed", errorCode: "internal_error" });
      expect(failed.errorMessage).toContain("files that the job needs are missing or damaged");
      await copy("aside", artifactKey);

      await expectNothing();
      const scenario = await getScenario(batch.main, answer.data.scenarioId);
      expect(scenario).toMatchObject({
        status: "Failed",
        checkpointId: null,
        dependentProjectCheckpoints: {},
      });
      const events = await db.select().from(outboxEvents);
      const names = events.filter(({ payload }) => payload.jobId === failed.id).map((event) => event.name);
      expect(names.filter((event) => event !== "job-updated").sort()).toEqual([
        "checkpoint-failed",
        "checkpoint-failed",
        "checkpoint-failed",
        "scenario-failed",
      ]);

      const again = await retryJob(ctx, { jobId: failed.id }, retryOf);
      expect(await runJobHere(again.jobId)).toMatchObject({ status: "Completed" });
      const ids = batch.all.map(({ projectId }) => projectId);
      const made = await db.select().from(checkpoints).where(inArray(checkpoints.projectId, ids));
      expect(
        made.map(({ state, linkedCheckpointId }) => [state, linkedCheckpointId !== null]).sort(),
      ).toEqual([
        ["ready", false],
        ["ready", true],
        ["ready", true],
      ]);
      expect(made.find(({ linkedCheckpointId }) => linkedCheckpointId === null)?.label).toBe("Batch");
      await forget(answer.data.scenarioId);
    },
  );

  it("leaves no checkpoint if a file of one model is damaged", async () => {
    const { artifactKey } = batch.far.model!;
    await copy(artifactKey, "aside");
    const [name] = Object.keys((await store().readManifest(artifactKey)).files);
    await store().writeFolder(artifactKey, new Map([[name!, Buffer.from("something else")]]));
    const { data } = await post(batch);
    for (let attempt = 1; attempt <= 2; attempt++) await expect(runJobHere(data.jobId)).rejects.toThrow();
    expect(await runJobHere(data.jobId)).toMatchObject({ status: "Failed" });
    await expectNothing();
    await copy("aside", artifactKey);
  });

  async function expectNothing(): Promise<void> {
    for (const { projectId } of batch.all) {
      expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
      expect(await keptFolders(`projects/${projectId}/checkpoints`)).toEqual([]);
    }
    await checkInvariants(sql);
  }

  /** Removes the scenario and its checkpoints. */
  async function forget(scenarioId: string): Promise<void> {
    await deleteScenario(ctx, { projectId: batch.main.projectId, scenarioId });
    for (const { projectId } of batch.all) {
      const rows = await db.select().from(checkpoints).where(eq(checkpoints.projectId, projectId));
      for (const { id } of rows) await deleteCheckpoint(ctx, { projectId, checkpointId: id });
      await runJobsHere(projectId);
    }
  }
});
