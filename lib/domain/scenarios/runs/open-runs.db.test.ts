import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { jobs } from "#db/schema/jobs";
import { predictionChunks, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { abandonOf, retryOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { retryJob } from "#lib/domain/jobs/retry-job";
import { updateProject } from "#lib/domain/projects/update-project";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { database } from "#lib/platform/database/process-database";
import { callRoute, testContext } from "#testing/api";
import { findViolations } from "#testing/invariants";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { createScenario, getScenario, postScenario, train } from "#testing/scenario-factory";
import {
  createDailyProject,
  failJob,
  listRuns,
  ofScenario,
  postRun,
  ridge,
  runAgain,
} from "#testing/scenario-runs";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as scenarioRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";

const { sql } = await createTestDatabase();
const db = database();
const ctx = testContext();
const expectNoViolations = async () => expect(await findViolations(sql)).toEqual([]);

describe("a run that fails or is cancelled", () => {
  it("leaves the scenario Completed with its former run, and can be retried", async () => {
    const project = await createDailyProject();
    const { id, runId } = await createScenario(project, {});
    const first = await postRun(project, id);
    await failJob(first.data.jobId);
    expect(await getScenario(project, id)).toMatchObject({ status: "Completed", runId });
    expect((await listRuns(project, id))[0]).toMatchObject({ id: first.data.runId, status: "Failed" });
    expect(
      await callRoute(predictionsRoute, ofScenario(project, id, { run: first.data.runId })),
    ).toMatchObject({ status: 409, error: { code: "scenario_not_ready" } });
    const { jobId } = await retryJob(ctx, { jobId: first.data.jobId }, retryOf);
    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
    expect(await getScenario(project, id)).toMatchObject({ runId: first.data.runId, jobId });
    await expectNoViolations();
  });

  it("is replaced by the next run", async () => {
    const project = await createDailyProject();
    const { id, runId } = await createScenario(project, {});
    await train(project.projectId, ridge);
    const cancelled = await postRun(project, id, { checkpointId: "current" });
    await cancelJob(ctx, { jobId: cancelled.data.jobId }, abandonOf);
    expect(await getScenario(project, id)).toMatchObject({ status: "Completed", runId });
    const next = await runAgain(project, id);
    expect((await listRuns(project, id)).map((run) => run.id)).toEqual([next.runId, runId]);
    await expect(retryJob(ctx, { jobId: cancelled.data.jobId }, retryOf)).rejects.toMatchObject({
      code: "job_not_retryable",
    });
    await expectNoViolations();
  });

  it("of the first run, asks to retry its job instead of another run", async () => {
    const project = await createDailyProject();
    const { data } = await postScenario(project, {});
    const waiting = await postRun(project, data.scenarioId);
    expect(waiting).toMatchObject({ status: 409, error: { code: "scenario_not_ready" } });
    await failJob(data.jobId);
    const failed = await postRun(project, data.scenarioId);
    expect(failed.error?.message).toContain("Retry the job");
  });
});

describe("concurrent runs of a scenario", () => {
  it("are one at a time", async () => {
    const project = await createDailyProject();
    const { id } = await createScenario(project, {});
    const answers = await Promise.all(Array.from({ length: 6 }, () => postRun(project, id)));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 202))
      expect(answer).toMatchObject({ status: 409, error: { code: "scenario_not_ready" } });
    expect(await runJobHere(accepted[0]!.data.jobId)).toMatchObject({ status: "Completed" });
    expect((await getScenario(project, id)).runId).toBe(accepted[0]!.data.runId);
    await expectNoViolations();
  });

  it("keep as many completed runs as an admin sets, and delete the rows and files of others", async () => {
    const project = await createDailyProject();
    const keep = (runsKept: number) =>
      updateProject(ctx, { projectId: project.projectId, change: { runsKept } });
    const { id } = await createScenario(project, {});
    const made = [id];
    const kept = async () => (await listRuns(project, id)).map((run) => run.id).reverse();
    const again = async () => made.push((await runAgain(project, id)).runId);
    await keep(3);
    for (let count = 0; count < 4; count++) await again();
    expect(await kept()).toEqual(made.slice(-3));
    await keep(4);
    await again();
    expect(await kept()).toEqual(made.slice(-4));
    await keep(1);
    expect(await kept()).toEqual(made.slice(-4));
    await again();
    expect(await kept()).toEqual(made.slice(-1));
    expect(await db.$count(predictionChunks, eq(predictionChunks.runId, id))).toBe(0);
    expect(await keptFolders(`projects/${project.projectId}/scenarios/${id}`)).toEqual([]);
    expect(await callRoute(scenarioRoute, ofScenario(project, id, { run: id }))).toMatchObject({
      status: 404,
    });
    const { jobId } = await deleteScenario(ctx, { projectId: project.projectId, scenarioId: id });
    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
    expect(await db.$count(scenarioRuns, eq(scenarioRuns.scenarioId, id))).toBe(0);
    expect(await db.$count(scenarios, eq(scenarios.id, id))).toBe(0);
    await expectNoViolations();
  });

  it("end with the deletion of the scenario", async () => {
    const project = await createDailyProject();
    const { projectId } = project;
    const { id } = await createScenario(project, {});
    const { data } = await postRun(project, id);
    const { jobId } = await deleteScenario(ctx, { projectId, scenarioId: id });
    const [job] = await db.select({ status: jobs.status }).from(jobs).where(eq(jobs.id, data.jobId));
    expect(job).toEqual({ status: "Cancelled" });
    await expectNoViolations();
    expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
    await expectNoViolations();
  });
});
