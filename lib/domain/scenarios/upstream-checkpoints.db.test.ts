import { and, eq, inArray } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { checkpointDependencies, checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { abandonOf, retryOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { store } from "#lib/platform/storage/store";
import { callRoute, createProject, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import {
  base64,
  createScenario,
  createTrainedProject,
  getScenario,
  postScenario,
  type TrainedProject,
} from "#testing/scenario-factory";
import { createUpstreamProjects, savedCheckpoint } from "#testing/upstream-projects";
import { GET as checkpointsRoute } from "../../../app/api/v1/projects/[projectId]/checkpoints/route.ts";

const { db } = await createTestDatabase();
const ctx = testContext();
const { weather, demand, sales } = await createUpstreamProjects();

/** Creates a project, and one that uses its predictions. */
async function createPair(name: string) {
  const upstream = await createTrainedProject({
    name,
    csv: dailyTemperature(100),
    target: "temp",
    timestamp: "day",
  });
  const user = await createTrainedProject({
    name: "User",
    csv: dailyDemand(100),
    target: "demand",
    timestamp: "date",
    dependencies: [{ projectId: upstream.projectId, featureName: "t" }],
  });
  return { upstream, user };
}

/** Everything that a rejected request could leave behind. */
async function traces(...projects: TrainedProject[]) {
  const ids = projects.map(({ projectId }) => projectId);
  const folders = await Promise.all(ids.map((id) => keptFolders(`projects/${id}`)));
  return {
    checkpoints: await db.$count(checkpoints, inArray(checkpoints.projectId, ids)),
    scenarios: await db.$count(scenarios, inArray(scenarios.projectId, ids)),
    jobs: await db.$count(jobs, inArray(jobs.projectId, ids)),
    folders,
  };
}

/** Upstream project → its checkpoint that a checkpoint is recorded with. */
async function madeWith(checkpointId: string): Promise<Record<string, string>> {
  const recorded = await db
    .select()
    .from(checkpointDependencies)
    .where(eq(checkpointDependencies.checkpointId, checkpointId));
  return Object.fromEntries(recorded.map((row) => [row.upstreamProjectId, row.upstreamCheckpointId]));
}

describe("dependentProjectCheckpoints", () => {
  it("must contain every direct and indirect upstream project; the error lists all missing projects", async () => {
    const before = await traces(weather, demand, sales);
    const none = await postScenario(sales, {});
    expect([none.status, none.error?.code]).toEqual([400, "dependency_checkpoint_required"]);
    expect(new Set(none.error?.details?.map(({ id }) => id))).toEqual(
      new Set([weather.projectId, demand.projectId]),
    );
    const half = await postScenario(sales, { dependentProjectCheckpoints: { [demand.projectId]: null } });
    expect(half.error?.details?.map(({ id }) => id)).toEqual([weather.projectId]);
    expect(await traces(weather, demand, sales)).toEqual(before);
  });

  it("rejects other projects, and checkpoints of the wrong project", async () => {
    const own = await savedCheckpoint(demand);
    const before = await traces(weather, demand, sales);
    const unknown = await postScenario(demand, {
      dependentProjectCheckpoints: { [weather.projectId]: null, [sales.projectId]: null },
    });
    expect([unknown.status, unknown.error?.code]).toEqual([400, "dependency_unknown"]);
    expect(unknown.error?.details?.map(({ id }) => id)).toEqual([sales.projectId]);
    const foreign = await postScenario(demand, { dependentProjectCheckpoints: { [weather.projectId]: own } });
    expect([foreign.status, foreign.error?.code]).toEqual([404, "checkpoint_not_found"]);
    expect(await traces(weather, demand, sales)).toEqual(before);
  });

  it("with null saves the current models in one batch, linked to the main checkpoint, visible once complete", async () => {
    const accepted = await postScenario(sales, {
      checkpointLabel: "Sales, spring",
      dependentProjectCheckpoints: {
        [demand.projectId.toUpperCase()]: null,
        [weather.projectId]: null,
      },
    });
    expect(accepted.status).toBe(202);
    const { checkpointId, scenarioId, jobId } = accepted.data;
    const reserved = await db
      .select()
      .from(checkpoints)
      .where(eq(checkpoints.linkedCheckpointId, checkpointId));
    expect(reserved.map(({ projectId, state }) => [projectId, state]).sort()).toEqual(
      [
        [demand.projectId, "reserved"],
        [weather.projectId, "reserved"],
      ].sort(),
    );
    const visible = async ({ projectId, as }: TrainedProject) =>
      (await callRoute<Checkpoint[]>(checkpointsRoute, { params: { projectId }, as })).data;
    expect((await visible(sales)).map(({ id }) => id)).not.toContain(checkpointId);

    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed", errorMessage: null });
    expect(await visible(sales)).toContainEqual(
      expect.objectContaining({ id: checkpointId, label: "Sales, spring", linkedCheckpointId: null }),
    );
    const scenario = await getScenario(sales, scenarioId);
    const pinnedCheckpoints = Object.fromEntries(reserved.map(({ projectId, id }) => [projectId, id]));
    expect(scenario.dependentProjectCheckpoints).toEqual(pinnedCheckpoints);
    for (const upstream of [demand, weather]) {
      expect(await visible(upstream)).toContainEqual(
        expect.objectContaining({
          id: pinnedCheckpoints[upstream.projectId],
          linkedCheckpointId: checkpointId,
        }),
      );
    }
    expect(await madeWith(checkpointId)).toEqual(pinnedCheckpoints);
    const { [demand.projectId]: ofDemand, ...ofWeather } = pinnedCheckpoints;
    expect(await madeWith(ofDemand!)).toEqual(ofWeather);
  });

  it("records a new upstream checkpoint with the checkpoints that it is used with, new or existing", async () => {
    const [main, ofWeather] = [await savedCheckpoint(sales), await savedCheckpoint(weather)];
    for (const given of [ofWeather, null]) {
      const { dependentProjectCheckpoints: pinnedCheckpoints } = await createScenario(sales, {
        checkpointId: main,
        dependentProjectCheckpoints: { [demand.projectId]: null, [weather.projectId]: given },
      });
      const pinned = pinnedCheckpoints[weather.projectId]!;
      expect(pinned === ofWeather).toBe(given !== null);
      expect(await madeWith(pinnedCheckpoints[demand.projectId]!)).toEqual({ [weather.projectId]: pinned });
    }
  });

  it("links new upstream checkpoints to an existing main checkpoint", async () => {
    const main = await savedCheckpoint(demand);
    const scenario = await createScenario(demand, {
      checkpointId: main,
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    const pinned = scenario.dependentProjectCheckpoints[weather.projectId]!;
    const [row] = await db.select().from(checkpoints).where(eq(checkpoints.id, pinned));
    expect(row).toMatchObject({ linkedCheckpointId: main, state: "ready", projectId: weather.projectId });
  });

  it("reserves all checkpoints or none: a full upstream project leaves nothing anywhere", async () => {
    const { upstream: full, user } = await createPair("Full");
    for (let i = 0; i < 20; i++) await createCheckpoint(ctx, { projectId: full.projectId });
    const before = await traces(full, user);
    const answer = await postScenario(user, {
      fileData: base64("date,price\n2023-04-20,5\n"),
      dependentProjectCheckpoints: { [full.projectId]: null },
    });
    expect([answer.status, answer.error?.code]).toEqual([400, "checkpoint_limit_reached"]);
    expect(await traces(full, user)).toEqual(before);
  });

  it("with null requires a model in the upstream project", async () => {
    const { id: empty } = await createProject({ name: "Empty" });
    const user = await createTrainedProject({ csv: dailyDemand(60), target: "demand", timestamp: "date" });
    await setDependencies(ctx, {
      projectId: user.projectId,
      dependencies: [{ projectId: empty, featureName: "x" }],
    });
    const answer = await postScenario(user, { dependentProjectCheckpoints: { [empty]: null } });
    expect([answer.status, answer.error?.code]).toEqual([400, "dependency_has_no_model"]);
    expect(answer.error?.details?.map(({ id }) => id)).toEqual([empty]);
  });

  it("protects an upstream checkpoint from deletion while a scenario uses it", async () => {
    const pinned = await savedCheckpoint(weather);
    await createScenario(demand, { dependentProjectCheckpoints: { [weather.projectId]: pinned } });
    await expect(
      deleteCheckpoint(ctx, { projectId: weather.projectId, checkpointId: pinned }),
    ).rejects.toMatchObject({ code: "checkpoint_in_use" });
  });
});

describe("a batch whose job fails or is cancelled", () => {
  it("leaves no checkpoint; the scenario stays, and a retry reserves the checkpoints again", async () => {
    const body = { dependentProjectCheckpoints: { [weather.projectId]: null } };
    const before = await traces(weather, demand);
    const { data } = await postScenario(demand, body);
    await cancelJob(ctx, { jobId: data.jobId }, abandonOf);
    const cancelled = await getScenario(demand, data.scenarioId);
    expect(cancelled).toMatchObject({
      status: "Cancelled",
      checkpointId: null,
      dependentProjectCheckpoints: {},
    });
    expect((await traces(weather, demand)).checkpoints).toBe(before.checkpoints);

    const retried = await retryJob(ctx, { jobId: data.jobId }, retryOf);
    expect(await getScenario(demand, data.scenarioId)).toMatchObject({
      status: "Pending",
      jobId: retried.jobId,
    });
    expect(await runJobHere(retried.jobId)).toMatchObject({ status: "Completed" });
    const made = await getScenario(demand, data.scenarioId);
    expect(made).toMatchObject({ status: "Completed", checkpointId: expect.any(String) });
    const pinnedCheckpoints = await db
      .select()
      .from(scenarioCheckpoints)
      .where(eq(scenarioCheckpoints.runId, data.scenarioId));
    const [linked] = await db
      .select()
      .from(checkpoints)
      .where(and(eq(checkpoints.id, pinnedCheckpoints[0]!.checkpointId!), eq(checkpoints.state, "ready")));
    expect(linked?.linkedCheckpointId).toBe(made.checkpointId);
    await expect(retryJob(ctx, { jobId: data.jobId }, retryOf)).rejects.toMatchObject({
      code: "job_not_retryable",
    });
  });

  it("cannot be retried after the project's dependencies have changed", async () => {
    const csv = dailyDemand(100);
    const user = await createTrainedProject({ name: "Settled", csv, target: "demand", timestamp: "date" });
    const { projectId } = user;
    const depend = (on: TrainedProject[]) =>
      setDependencies(ctx, {
        projectId,
        dependencies: on.map((one, index) => ({ projectId: one.projectId, featureName: `f${index}` })),
      });
    const cancelled = async (body: object) => {
      const { data } = await postScenario(user, { fileData: base64(csv), ...body });
      await cancelJob(ctx, { jobId: data.jobId }, abandonOf);
      return data.jobId;
    };
    const rejected = (id: string) => ({
      code: "job_not_retryable",
      details: [{ id, code: expect.stringMatching(/^dependency_/) }],
    });
    const alone = await cancelled({});
    await depend([weather]);
    await expect(retryJob(ctx, { jobId: alone }, retryOf)).rejects.toMatchObject(rejected(weather.projectId));
    const pinning = await cancelled({ dependentProjectCheckpoints: { [weather.projectId]: null } });
    await depend([]);
    await expect(retryJob(ctx, { jobId: pinning }, retryOf)).rejects.toMatchObject(
      rejected(weather.projectId),
    );
    expect(await runJobHere((await retryJob(ctx, { jobId: alone }, retryOf)).jobId)).toMatchObject({
      status: "Completed",
    });
  });

  it("leaves no checkpoint if one model's artifacts cannot be copied", async () => {
    const { upstream: broken, user } = await createPair("Broken");
    const { data } = await postScenario(user, { dependentProjectCheckpoints: { [broken.projectId]: null } });
    for (const folder of await keptFolders(`projects/${broken.projectId}/models`)) {
      await store().deleteFolder(folder);
    }
    for (let attempt = 1; attempt <= 2; attempt++) await expect(runJobHere(data.jobId)).rejects.toThrow();
    expect(await runJobHere(data.jobId)).toMatchObject({ status: "Failed", errorCode: "internal_error" });
    const ids = [broken.projectId, user.projectId];
    expect(await db.$count(checkpoints, inArray(checkpoints.projectId, ids))).toBe(0);
    for (const id of ids) expect(await keptFolders(`projects/${id}/checkpoints`)).toEqual([]);
    expect(await getScenario(user, data.scenarioId)).toMatchObject({ status: "Failed", checkpointId: null });
  });
});
