import { and, eq, isNull } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarios } from "#db/schema/scenarios";
import { createCheckpoint } from "#lib/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/checkpoints/delete-checkpoint";
import { store } from "#lib/storage/store";
import { runWorker, type Worker } from "#lib/worker/main";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import {
  base64,
  createTrainedProject,
  getScenario,
  postScenario,
  type TrainedProject,
} from "#testing/scenario-factory";
import { DELETE } from "../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { deleteScenario } from "./delete-scenario.ts";

const { db } = await createTestDatabase({ max: 10 });
const ctx = testContext();

let worker: Worker | undefined;
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

const timed = (csv = dailyDemand(60)) => createTrainedProject({ csv, target: "demand", timestamp: "date" });
const fileData = base64("date,price\n2023-03-02,5\n2023-03-03,6\n");

async function readyCheckpoint({ projectId }: TrainedProject): Promise<string> {
  const { checkpointId, jobId } = await createCheckpoint(ctx, { projectId });
  await runJobHere(jobId);
  return checkpointId;
}

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

describe("twenty requests at once", () => {
  it("each get their own scenario and checkpoint, and a real worker completes them all", async () => {
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

  it("of which only as many pass as there are places for checkpoints; the others leave nothing", async () => {
    const project = await timed();
    for (let i = 0; i < 15; i++) await createCheckpoint(ctx, { projectId: project.projectId });
    const answers = await Promise.all(Array.from({ length: 20 }, () => postScenario(project, { fileData })));
    expect(answers.filter(({ status }) => status === 202).length).toBe(5);
    const refused = answers.filter(({ status }) => status !== 202);
    expect(new Set(refused.map(({ status, error }) => `${status} ${error?.code}`))).toEqual(
      new Set(["400 checkpoint_limit_reached"]),
    );
    expect(await db.$count(scenarios, eq(scenarios.projectId, project.projectId))).toBe(5);
    const folders = await store().listFolders(`projects/${project.projectId}/scenarios`);
    expect(folders.length).toBe(5);
  });

  it("in two projects that share a dependent one never wait in a circle", async () => {
    const shared = await createTrainedProject({
      csv: dailyTemperature(60),
      target: "temp",
      timestamp: "day",
    });
    const dependencies = [{ projectId: shared.projectId, featureName: "t" }];
    const [a, b] = await Promise.all(
      [1, 2].map(() =>
        createTrainedProject({ csv: dailyDemand(60), target: "demand", timestamp: "date", dependencies }),
      ),
    );
    const body = { dependentProjectCheckpoints: { [shared.projectId]: null } };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => postScenario(i % 2 === 0 ? a! : b!, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(202));
  });
});

describe("deleting a checkpoint against creating a scenario on it", () => {
  it("either is refused in favour of the other, at every try", async () => {
    const project = await timed();
    await readyCheckpoint(project);
    let [created, deleted] = [0, 0];
    for (let round = 0; round < 12; round++) {
      const checkpointId = await readyCheckpoint(project);
      const [scenario, deletion] = await Promise.all([
        postScenario(project, { checkpointId, fileData }),
        deleteCheckpoint(ctx, { projectId: project.projectId, checkpointId }).then(
          () => "deleted",
          (error: { code: string }) => error.code,
        ),
      ]);
      if (scenario.status === 202) {
        created++;
        expect(deletion).toBe("checkpoint_in_use");
        const removed = await deleteScenario(ctx, {
          projectId: project.projectId,
          scenarioId: scenario.data.scenarioId,
        });
        expect((await runJobHere(removed.jobId)).status).toBe("Completed");
        await deleteCheckpoint(ctx, { projectId: project.projectId, checkpointId });
      } else {
        deleted++;
        expect([scenario.error?.code, deletion]).toEqual(["checkpoint_not_found", "deleted"]);
      }
    }
    expect(created + deleted).toBe(12);
    expect(await store().listFolders(`projects/${project.projectId}/scenarios`)).toEqual([]);
  });
});

describe("deleting a scenario while it is made", () => {
  it("cancels its job, frees what it held at once, and leaves nothing", async () => {
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
    expect(await store().listFolders(`projects/${projectId}/scenarios`)).toEqual([]);
    const reserved = and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "reserved"));
    expect(await db.$count(checkpoints, reserved)).toBe(0);
  });

  it("of a waiting one gives its reserved checkpoint back", async () => {
    const project = await timed();
    const { data } = await postScenario(project, { fileData });
    const { projectId } = project;
    await deleteScenario(ctx, { projectId, scenarioId: data.scenarioId });
    expect(await db.$count(checkpoints, eq(checkpoints.projectId, projectId))).toBe(0);
    const [job] = await db.select().from(jobs).where(eq(jobs.id, data.jobId));
    expect(job?.status).toBe("Cancelled");
  });
});
