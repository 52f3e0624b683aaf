import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { outboxEvents } from "#db/schema/jobs";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import { presentFeature } from "#lib/domain/models/present";
import { servingModel } from "#lib/domain/models/serving-model";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { store } from "#lib/platform/storage/store";
import { createKey, createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createModel } from "#testing/model-factory";
import { inputCsv } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere, runJobsHere } from "#testing/run-jobs";
import { base64, postScenario } from "#testing/scenario-factory";
import { createCheckpoint } from "./create-checkpoint.ts";
import { deleteCheckpoint } from "./delete-checkpoint.ts";
import { getCheckpoint } from "./get-checkpoint.ts";
import { listCheckpoints } from "./list-checkpoints.ts";
import { reserveCheckpoints } from "./reserve-checkpoints.ts";
import { countScenariosUsingEach } from "./scenarios-using.ts";
import { updateCheckpoint } from "./update-checkpoint.ts";

await createTestDatabase();
const db = database();

async function trainedProject(name = "Heat") {
  const project = await createProject({ name });
  const model = await createModel({ projectId: project.id });
  return { projectId: project.id, model };
}

/** Creates a checkpoint and runs its job. */
async function ready(
  projectId: string,
  wish: { modelId?: string; label?: string; setAsDefault?: boolean } = {},
) {
  const { checkpointId, jobId } = await createCheckpoint(testContext(), { projectId, ...wish });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed", progress: 100 });
  return checkpointId;
}

/** Creates a scenario that uses the checkpoint, and pinned checkpoints of other projects. */
async function scenarioOn(
  projectId: string,
  checkpointId: string,
  pinnedCheckpoints: Record<string, string> = {},
) {
  const as = await createKey({ projectId });
  const title = `Cold ${checkpointId}`;
  const body = {
    title,
    checkpointId,
    fileData: base64(inputCsv),
    dependentProjectCheckpoints: pinnedCheckpoints,
  };
  const { data } = await postScenario({ projectId, as }, body);
  return { id: data.scenarioId, title };
}

describe("creating a checkpoint", () => {
  it("shows the checkpoint after its artifacts are a verified copy of the model's", async () => {
    const { projectId, model } = await trainedProject();
    const { checkpointId, jobId, message } = await createCheckpoint(testContext(), {
      projectId,
      description: "Before the winter",
    });
    const [, label] = /^Creation of checkpoint "(Heat_\d{8})" was initiated\./.exec(message)!;
    expect((await listCheckpoints(testContext(), { projectId })).items).toEqual([]);
    await expect(getCheckpoint(testContext(), { projectId, checkpointId })).rejects.toMatchObject({
      code: "checkpoint_not_found",
    });

    await runJobHere(jobId);
    const detail = await getCheckpoint(testContext(), { projectId, checkpointId });
    expect(detail).toMatchObject({
      id: checkpointId,
      label,
      isDefault: true,
      linkedCheckpointId: null,
      usedByScenarios: 0,
      description: "Before the winter",
      sha256: model.sha256,
      trainingMetrics: model.trainingMetrics,
      inputFeatures: model.inputFeatures.map(presentFeature),
      featureEngineering: model.featureEngineering,
    });
    const [row] = await db.select().from(checkpoints).where(eq(checkpoints.id, checkpointId));
    const place = `projects/${projectId}/checkpoints/${detail.folderName}/${checkpointId}/`;
    expect(row!.artifactKey.startsWith(place)).toBe(true);
    expect(await store().readManifest(row!.artifactKey)).toEqual(
      await store().readManifest(model.artifactKey),
    );
    const events = await db.select().from(outboxEvents).where(eq(outboxEvents.projectId, projectId));
    expect(events.map(({ name, payload }) => `${name} ${payload.status}`)).toEqual([
      "job-updated Pending",
      "job-updated Running",
      "checkpoint-created Completed",
      "default-changed Completed",
      "job-updated Completed",
    ]);
  });

  it("saves an earlier model on request, which then serves predictions as the default", async () => {
    const { projectId, model: earlier } = await trainedProject();
    const later = await createModel({ projectId, modelName: "Later" });
    const ofLater = await ready(projectId);
    const checkpointId = await ready(projectId, { modelId: earlier.id, setAsDefault: true });
    expect(await getCheckpoint(testContext(), { projectId, checkpointId })).toMatchObject({
      modelId: earlier.id,
      isDefault: true,
      modelName: earlier.modelName,
    });
    expect(await servingModel(db, projectId)).toMatchObject({ checkpointId, modelId: earlier.id });
    const other = await getCheckpoint(testContext(), { projectId, checkpointId: ofLater });
    expect(other).toMatchObject({ modelId: later.id, isDefault: false });
  });

  it("rejects another project's model, and leaves nothing", async () => {
    const [{ projectId }, { model }] = [await trainedProject(), await trainedProject("Foreign")];
    await expect(createCheckpoint(testContext(), { projectId, modelId: model.id })).rejects.toMatchObject({
      code: "model_not_found",
    });
    expect(await runJobsHere(projectId)).toHaveLength(0);
  });

  it('"No trained model available" and "Duplicate label" are rejected and leave nothing', async () => {
    const bare = await createProject();
    await expect(createCheckpoint(testContext(), { projectId: bare.id })).rejects.toMatchObject({
      code: "no_trained_model",
    });
    const { projectId } = await trainedProject();
    await createCheckpoint(testContext(), { projectId, label: "Same" });
    await expect(createCheckpoint(testContext(), { projectId, label: "Same" })).rejects.toMatchObject({
      code: "duplicate_label",
    });
    expect(await runJobsHere(projectId)).toHaveLength(1);
  });
});

describe("the batch for a scenario", () => {
  it("reserves all or none, and links the upstream checkpoints to the main one", async () => {
    const [main, upstream] = [await trainedProject("Main"), await trainedProject("Upstream")];
    const requests = [
      { projectId: main.projectId, label: "Batch" },
      { projectId: upstream.projectId, mainCheckpoint: "main" },
    ];
    const reserve = () => db.transaction((tx) => reserveCheckpoints(tx, testContext(), requests));
    const [first, second] = await reserve();
    const rows = await db.select().from(checkpoints).where(eq(checkpoints.id, second!.id));
    expect(rows[0]).toMatchObject({ linkedCheckpointId: first!.id, projectId: upstream.projectId });
    await expect(reserve()).rejects.toMatchObject({ code: "duplicate_label" });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, upstream.projectId))).toBe(1);
  });

  it("distinguishes the main project without a model from an upstream one", async () => {
    const bare = await createProject({ name: "Bare" });
    const { projectId } = await trainedProject();
    const reserve = (main: string, upstream: string) =>
      db.transaction((tx) =>
        reserveCheckpoints(tx, testContext(), [
          { projectId: main },
          { projectId: upstream, mainCheckpoint: "main" },
        ]),
      );
    await expect(reserve(bare.id, projectId)).rejects.toMatchObject({ code: "no_trained_model" });
    await expect(reserve(projectId, bare.id)).rejects.toMatchObject({
      code: "dependency_has_no_model",
      details: [{ id: bare.id }],
    });
  });
});

describe("deleting a checkpoint", () => {
  it("takes effect at once for callers; the job removes artifacts and row, then frees the folder name", async () => {
    const { projectId } = await trainedProject();
    const checkpointId = await ready(projectId, { label: "Old one" });
    const { jobId } = await deleteCheckpoint(testContext(), { projectId, checkpointId });
    expect((await listCheckpoints(testContext(), { projectId })).items).toEqual([]);
    const again = await createCheckpoint(testContext(), { projectId, label: "Old one" });
    const [reserved] = await db.select().from(checkpoints).where(eq(checkpoints.id, again.checkpointId));
    expect(reserved!.folderName).toBe("old-one_02");
    const folder = `projects/${projectId}/checkpoints/old-one/${checkpointId}`;
    expect(await keptFolders(folder)).toHaveLength(1);
    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
    expect(await keptFolders(folder)).toEqual([]);
    expect(await db.$count(checkpoints, eq(checkpoints.id, checkpointId))).toBe(0);
    const events = await db
      .select()
      .from(outboxEvents)
      .where(and(eq(outboxEvents.projectId, projectId), eq(outboxEvents.name, "checkpoint-deleted")));
    expect(events.map(({ payload }) => payload.entityId)).toEqual([checkpointId]);
  });

  it('"A checkpoint referenced by any scenario cannot be deleted": also a pinned upstream checkpoint', async () => {
    const { projectId } = await trainedProject("Up");
    const down = await trainedProject("Down");
    const checkpointId = await ready(projectId);
    await setDependencies(testContext(), {
      projectId: down.projectId,
      dependencies: [{ projectId, featureName: "predicted" }],
    });
    const main = await scenarioOn(projectId, checkpointId);
    const other = await scenarioOn(down.projectId, await ready(down.projectId), {
      [projectId]: checkpointId,
    });
    const attempt = () => deleteCheckpoint(testContext(), { projectId, checkpointId });
    await expect(attempt()).rejects.toMatchObject({
      code: "checkpoint_in_use",
      details: [
        { id: main.id, value: main.title },
        { id: other.id, value: other.title },
      ],
    });
    expect(await getCheckpoint(testContext(), { projectId, checkpointId })).toMatchObject({
      usedByScenarios: 2,
    });
    const unused = await ready(projectId);
    expect(await countScenariosUsingEach(db, [checkpointId, unused])).toEqual(new Map([[checkpointId, 2]]));
    await db.delete(scenarios).where(eq(scenarios.id, main.id));
    await expect(attempt()).rejects.toMatchObject({ details: [{ id: other.id }] });
    await db.delete(scenarios).where(eq(scenarios.id, other.id));
    await attempt();
  });

  it("the database rejects a run on a checkpoint that is being deleted", async () => {
    const { projectId } = await trainedProject();
    const checkpointId = await ready(projectId);
    await deleteCheckpoint(testContext(), { projectId, checkpointId });
    const row = { id: newId(), projectId, scenarioId: newId(), checkpointId, jobId: newId() };
    await expect(
      db.insert(scenarioRuns).values({ ...row, createdBy: "user-of-tests" }),
    ).rejects.toMatchObject({ cause: { code: "23503", constraint_name: "scenario_runs_checkpoint" } });
  });
});

describe("changing a checkpoint", () => {
  it("changes the given fields, keeps the rest, and rejects a label that another checkpoint holds", async () => {
    const { projectId } = await trainedProject();
    const [first, second] = [await ready(projectId, { label: "First" }), await ready(projectId)];
    const renamed = await updateCheckpoint(testContext(), {
      projectId,
      checkpointId: second,
      label: "Second",
      description: "Better",
    });
    expect(renamed).toMatchObject({ label: "Second", description: "Better", isDefault: false });
    await expect(
      updateCheckpoint(testContext(), { projectId, checkpointId: second, label: "First" }),
    ).rejects.toMatchObject({ code: "duplicate_label" });
    expect(
      await updateCheckpoint(testContext(), { projectId, checkpointId: second, setAsDefault: true }),
    ).toMatchObject({ label: "Second", description: "Better", isDefault: true });
    expect(
      await updateCheckpoint(testContext(), { projectId, checkpointId: second, setAsDefault: false }),
    ).toMatchObject({ isDefault: true });
    expect(await getCheckpoint(testContext(), { projectId, checkpointId: first })).toMatchObject({
      isDefault: false,
    });
  });
});
