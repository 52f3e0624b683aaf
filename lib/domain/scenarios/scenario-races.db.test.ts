import { and, eq, isNull } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarios } from "#db/schema/scenarios";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { runWorker, type Worker } from "#server/worker/main";
import { callRoute, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import {
  base64,
  createTrainedProject,
  getScenario,
  postScenario,
  type TrainedProject,
} from "#testing/scenario-factory";
import { DELETE } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { deleteScenario } from "./delete-scenario.ts";

vi.setConfig({ testTimeout: 120_000 }); // A worker may take 50 s for the jobs of a test (`ended`).
const { db } = await createTestDatabase({ max: 10 });
const ctx = testContext();

let worker: Worker | undefined;
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

const timed = () => createTrainedProject({ csv: dailyDemand(60), target: "demand", timestamp: "date" });
const fileData = base64("date,price\n2023-03-02,5\n2023-03-03,6\n");

async function ended({ projectId }: TrainedProject): Promise<void> {
  await expect
    .poll(
      async () => {
        const open = await db
          .select({ id: jobs.id })
          .from(jobs)
          .where(and(eq(jobs.projectId, projectId), isNull(jobs.finishedAt)));
        return open.length;
      },
      { timeout: 50_000, interval: 50 },
    )
    .toBe(0);
}

describe("twenty concurrent requests", () => {
  it("each create a scenario and a checkpoint, and a real worker completes them all", async () => {
    const project = await timed();
    worker = await runWorker();
    const answers = await Promise.all(Array.from({ length: 20 }, () => postScenario(project, { fileData })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect(new Set(answers.map(({ data }) => data.checkpointId)).size).toBe(20);
    await ended(project);
    for (const { data } of answers) {
      expect(await getScenario(project, data.scenarioId)).toMatchObject({ status: "Completed", rowCount: 2 });
    }
    const ready = await db
      .select()
      .from(checkpoints)
      .where(and(eq(checkpoints.projectId, project.projectId), eq(checkpoints.state, "ready")));
    expect(ready.length).toBe(20);
    expect(ready.filter(({ isDefault }) => isDefault).length).toBe(1);
  });

  it("succeed up to the limit of checkpoints; rejected requests leave nothing", async () => {
    const project = await timed();
    for (let i = 0; i < 15; i++) await createCheckpoint(ctx, { projectId: project.projectId });
    const answers = await Promise.all(Array.from({ length: 20 }, () => postScenario(project, { fileData })));
    expect(answers.filter(({ status }) => status === 202).length).toBe(5);
    const rejected = answers.filter(({ status }) => status !== 202);
    expect(new Set(rejected.map(({ status, error }) => `${status} ${error?.code}`))).toEqual(
      new Set(["400 checkpoint_limit_reached"]),
    );
    expect(await db.$count(scenarios, eq(scenarios.projectId, project.projectId))).toBe(5);
    const folders = await keptFolders(`projects/${project.projectId}/scenarios`);
    expect(folders.length).toBe(5);
  });
});

describe("deleting a scenario while its job runs", () => {
  it("cancels the job, releases its checkpoints immediately, and leaves nothing", async () => {
    const project = await timed();
    worker = await runWorker();
    const answers = await Promise.all(Array.from({ length: 8 }, () => postScenario(project, { fileData })));
    const { projectId, as } = project;
    const deletions = await Promise.all(
      answers.map(({ data }) =>
        callRoute(DELETE, { method: "DELETE", params: { projectId, scenarioId: data.scenarioId }, as }),
      ),
    );
    expect(deletions.map(({ status }) => status)).toEqual(Array(8).fill(202));
    await ended(project);
    expect(await db.$count(scenarios, eq(scenarios.projectId, projectId))).toBe(0);
    expect(await keptFolders(`projects/${projectId}/scenarios`)).toEqual([]);
    const reserved = and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "reserved"));
    expect(await db.$count(checkpoints, reserved)).toBe(0);
  });

  it("releases the reserved checkpoint of a waiting scenario", async () => {
    const project = await timed();
    const { data } = await postScenario(project, { fileData });
    const { projectId } = project;
    await deleteScenario(ctx, { projectId, scenarioId: data.scenarioId });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
    const [job] = await db.select().from(jobs).where(eq(jobs.id, data.jobId));
    expect(job?.status).toBe("Cancelled");
  });
});
