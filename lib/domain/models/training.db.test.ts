import { readFileSync } from "node:fs";
import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { jobs, outboxEvents } from "#db/schema/jobs";
import { models } from "#db/schema/models";
import type { Model } from "#lib/contract/models";
import type { Project } from "#lib/contract/projects";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { getProject } from "#lib/domain/projects/get-project";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { store } from "#lib/platform/storage/store";
import { callRoute, createKey, createProject, type TestKey, testContext } from "#testing/api";
import { bikeHoursFile, hasBikeHours } from "#testing/bike-hours";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import { GET as modelRoute } from "../../../app/api/v1/projects/[projectId]/models/[modelId]/route.ts";
import { GET as currentRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { GET as listRoute } from "../../../app/api/v1/projects/[projectId]/models/route.ts";
import { POST as trainRoute } from "../../../app/api/v1/projects/[projectId]/models/train/route.ts";
import { openModel } from "./open-model.ts";
import { trainingData } from "./training-data.ts";

const { db } = await createTestDatabase();
const ctx = testContext();
const base64 = (text: string) => Buffer.from(text).toString("base64");

async function projectWith(
  csv: string | null,
  settings: { target: string; timestamp?: string } = { target: "y" },
) {
  const { id: projectId } = await createProject();
  if (csv !== null) await putDataset(ctx, { projectId, fileData: base64(csv), ...settings });
  return { projectId, as: await createKey({ projectId }) };
}

const train = (projectId: string, as: TestKey, body: unknown = {}) =>
  callRoute<{ jobId: string; status: string }>(trainRoute, { params: { projectId }, as, body });

async function trained(
  projectId: string,
  as: TestKey,
  body: unknown = { algorithm: "ridge" },
): Promise<Model> {
  const job = await runJobHere((await train(projectId, as, body)).data.jobId);
  expect([job.status, job.errorMessage]).toEqual(["Completed", null]);
  return (await callRoute<Model>(currentRoute, { params: { projectId }, as })).data;
}

describe("POST models/train", () => {
  it("rejects a project without a dataset, and unknown fields", async () => {
    const { projectId, as } = await projectWith(null);
    const none = await train(projectId, as);
    expect([none.status, none.error?.code]).toEqual([400, "no_dataset"]);
    const unknown = await train(projectId, as, { algoritm: "ridge" });
    expect([unknown.status, unknown.error?.code]).toEqual([400, "validation_failed"]);
  });

  it("starts a job that makes the model current, with artifacts, metrics and an event", async () => {
    const { projectId, as } = await projectWith(dailyTemperature(200), { target: "temp", timestamp: "day" });
    const before = await callRoute(currentRoute, { params: { projectId }, as });
    expect([before.status, before.error?.code]).toEqual([404, "model_not_found"]);
    const accepted = await train(projectId, as);
    expect([accepted.status, accepted.data.status]).toEqual([202, "Pending"]);
    const job = await runJobHere(accepted.data.jobId);
    expect(job).toMatchObject({
      status: "Completed",
      progress: 100,
      errorCode: null,
      createdBy: as.createdBy,
    });

    const { data: model } = await callRoute<Model>(currentRoute, { params: { projectId }, as });
    expect(model).toMatchObject({
      id: job.modelId,
      projectId,
      source: "trained",
      isCurrent: true,
      target: "temp",
      targetMetric: "rmse",
      modelFormat: "onnx",
      trainingRows: 200,
    });
    expect(model.primaryMetricValue).toBe(model.trainingMetrics.validation?.rmse);
    expect(model.trainingMetrics.baseline?.rmse).toBeGreaterThan(0);
    expect(model.inputFeatures.map(({ name, role }) => [name, role])).toContainEqual(["day", "timestamp"]);
    expect(model.leaderboard.map(({ algorithm }) => algorithm)).toEqual(["combination", "baseline"]);
    expect(model.validation?.actual.length).toBeGreaterThan(10);

    const [row] = await db.select().from(models).where(eq(models.id, model.id));
    expect(Object.keys((await store().readManifest(row!.artifactKey)).files)).toContain("learner.json");
    expect((await openModel(row!.artifactKey)).inputFormat).toMatchObject({
      timestampColumns: ["day"],
      timezone: "UTC",
    });
    const events = await db
      .select()
      .from(outboxEvents)
      .where(and(eq(outboxEvents.projectId, projectId), eq(outboxEvents.name, "model-trained")));
    expect(events.map(({ payload }) => payload.entityId)).toEqual([model.id]);
    const project: Project = await getProject(ctx, { projectId });
    expect(project.currentModel).toMatchObject({ id: model.id });
  });

  it("lists earlier models after the current one, newest first", async () => {
    const { projectId, as } = await projectWith(dailyTemperature(120), { target: "temp", timestamp: "day" });
    const first = await trained(projectId, as);
    const second = await trained(projectId, as);
    const { data } = await callRoute<Model[]>(listRoute, { params: { projectId }, as });
    expect(data.map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    const one = await callRoute<Model>(modelRoute, { params: { projectId, modelId: first.id }, as });
    expect(one.data).toEqual({ ...first, isCurrent: false });
    const other = await projectWith(null);
    const foreign = await callRoute(modelRoute, {
      params: { projectId: other.projectId, modelId: first.id },
      as: other.as,
    });
    expect([foreign.status, foreign.error?.code]).toEqual([404, "model_not_found"]);
  });

  it("fails with the reason if the data allows no model, and stores no model", async () => {
    const { projectId, as } = await projectWith("x,y\n1,2\n2,3\n3,4\n");
    const job = await runJobHere((await train(projectId, as)).data.jobId);
    expect(job).toMatchObject({ status: "Failed", errorCode: "training_impossible", modelId: null });
    expect(job.errorMessage).toContain("rows");
    expect(await keptFolders(`projects/${projectId}/models`)).toEqual([]);
  });

  it("ends Cancelled, without a model, after a cancellation", async () => {
    const { projectId, as } = await projectWith(dailyTemperature(200), { target: "temp", timestamp: "day" });
    const { jobId } = (await train(projectId, as)).data;
    await db.update(jobs).set({ cancelRequested: true }).where(eq(jobs.id, jobId));
    expect(await runJobHere(jobId)).toMatchObject({ status: "Cancelled", modelId: null });
    expect(await keptFolders(`projects/${projectId}/models`)).toEqual([]);
  });
});

describe("training on upstream projects' predictions", () => {
  let weather: string;
  let weatherKey: TestKey;

  beforeAll(async () => {
    ({ projectId: weather, as: weatherKey } = await projectWith(dailyTemperature(300), {
      target: "temp",
      timestamp: "day",
    }));
  });

  async function downstream() {
    const made = await projectWith(dailyDemand(300), { target: "demand", timestamp: "date" });
    const dependencies = [{ projectId: weather, featureName: "temperature" }];
    await setDependencies(ctx, { projectId: made.projectId, dependencies });
    return made;
  }

  it("fails with dependency_has_no_model if the upstream project has no model", async () => {
    const { projectId, as } = await downstream();
    const job = await runJobHere((await train(projectId, as)).data.jobId);
    expect(job).toMatchObject({ status: "Failed", errorCode: "dependency_has_no_model" });
    expect(job.errorMessage).toContain(weather);
  });

  it("trains on out-of-fold predictions of the upstream models", async () => {
    await trained(weather, weatherKey);
    const { projectId, as } = await downstream();
    const data = await trainingData(db, projectId);
    const [{ column, sourceProjectId }] = data.input.upstream as [(typeof data.input.upstream)[number]];
    expect([column.name, sourceProjectId]).toEqual(["temperature", weather]);
    const values = column.type === "number" ? column.values : new Float64Array();
    expect(values.slice(0, 30).every(Number.isNaN)).toBe(true);
    expect(values.slice(30).every(Number.isFinite)).toBe(true);
    // The first fold's model knows 30 days of winter, so its predictions of later days differ from the final model's.
    const model = await openModel(
      (await db.select().from(models).where(eq(models.projectId, weather)))[0]!.artifactKey,
    );
    const day = data.input.table.columns.find(({ name }) => name === "date")!;
    const seen = await model.predict({ rowCount: values.length, columns: [{ ...day, name: "day" }] });
    expect(values[40]).not.toBeCloseTo(seen.predictions[40]!, 6);

    const trainedModel = await trained(projectId, as);
    const feature = trainedModel.inputFeatures.find(({ name }) => name === "temperature");
    expect(feature).toMatchObject({ role: "upstream", sourceProjectId: weather, required: false });
  }, 60_000); // Trains two models, and one more for each fold of the upstream data.
});

it.skipIf(!hasBikeHours())(
  "hourly bike rentals: {} explains at least 92 % of later rows' variance",
  async () => {
    const { projectId, as } = await projectWith(null);
    const dataset = await putDataset(ctx, {
      projectId,
      fileData: readFileSync(bikeHoursFile()).toString("base64"),
      target: "cnt",
      timestamp: ["dteday", "hr"],
      exclude: ["instant", "casual", "registered"],
    });
    expect(dataset).toMatchObject({
      rowCount: 17_379,
      frequency: "PT1H",
      lastTimestamp: "2012-12-31T23:00:00.000Z",
    });
    const model = await trained(projectId, as, {});
    expect(model.trainingMetrics.validation?.r2).toBeGreaterThan(0.92);
    const times = model.inputFeatures.filter(({ role }) => role === "timestamp").map(({ name }) => name);
    expect(times).toEqual(["dteday", "hr"]);
  },
);
