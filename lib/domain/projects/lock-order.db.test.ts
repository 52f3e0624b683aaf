import { describe, expect, it } from "vitest";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { requestTraining } from "#lib/domain/models/request-training";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { callRoute, createProject, createUser, testContext } from "#testing/api";
import {
  createPopulatedProject,
  createReadyCheckpoint,
  inputCsv,
  type PopulatedProject,
} from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { routeCases } from "#testing/route-cases";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, createTrainedProject, postScenario } from "#testing/scenario-factory";
import { validCalls } from "#testing/valid-calls";
import { deleteProject } from "./delete-project.ts";

const { sql } = await createTestDatabase();
const ctx = testContext();

const admin = await createUser();
const own = await createPopulatedProject({ upstream: [await createPopulatedProject({ name: "Used" })] });

/**
 * Performs an action while another transaction holds a project's row.
 *
 * @returns the tables with rows that the action had locked when it waited for that row; null if it did not wait
 */
async function lockedBefore(projectId: string, act: () => Promise<unknown>): Promise<string[] | null> {
  const holder = await sql.reserve();
  try {
    await holder`begin`;
    const [{ pid }] = await holder<[{ pid: number }]>`select pg_backend_pid() as pid`;
    await holder`select from projects where id = ${projectId} for update`;
    let over = false;
    const acting = act().finally(() => {
      over = true;
    });
    acting.catch(() => {}); // Awaited below.
    let found: string[] | null = null;
    while (!over && found === null) found = await tablesOfWaiting(pid);
    await holder`commit`;
    await acting;
    return found;
  } finally {
    holder.release();
  }
}

/** Returns the tables with rows that a connection which waits for the holder has locked; null while none waits. */
async function tablesOfWaiting(holderPid: number): Promise<string[] | null> {
  const waiting = await sql<{ pid: number }[]>`select pid from pg_stat_activity
    where datname = current_database() and ${holderPid} = any(pg_blocking_pids(pid))`;
  if (waiting.length === 0) return null;
  const rows = await sql<{ name: string }[]>`
    select distinct relation::regclass::text as name from pg_locks join pg_class on pg_class.oid = relation
    where pid in ${sql(waiting.map(({ pid }) => pid))} and relkind = 'r' and mode in ('RowShareLock', 'RowExclusiveLock')`;
  return rows.map(({ name }) => name);
}

const request = { algorithm: "ridge" } as const;

/** Routes that change nothing in the project, or a row without dependent rows. */
const free = new Set([
  "POST /api/v1/jobs/{jobId}/cancel",
  "POST /api/v1/jobs/{jobId}/mail",
  "DELETE /api/v1/projects/{projectId}/api-keys/{keyId}",
  "POST /api/v1/projects/{projectId}/predict",
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/goal-seek",
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/preview",
  "POST /api/v1/projects/{projectId}/scenarios/validate",
]);

const cases = (await routeCases()).filter(
  ({ changes, ids }) => changes && (ids.includes("projectId") || ids.includes("jobId")),
);

describe("a change in a project locks the project's row before any other row:", () => {
  it.each(cases.map((one) => ({ ...one, waits: !free.has(one.name) })))("$name", async (item) => {
    const parts = await validCalls[item.name]!(own);
    const projectId = parts.params?.projectId ?? own.projectId;
    const found = await lockedBefore(projectId, async () => {
      const { status, text } = await callRoute(item.handler, { ...item.call(parts), as: admin });
      expect(status, text).toBeLessThan(300);
    });
    expect(found).toEqual(item.waits ? ["projects"] : null);
  });

  const deletion = async (checkpointId: string) =>
    deleteCheckpoint(ctx, { projectId: own.projectId, checkpointId });
  const training = async () => {
    const rows = Array.from({ length: 40 }, (_, row) => `${row},${3 * row + 1}`);
    const csv = `temp,demand\n${rows.join("\n")}\n`;
    const { projectId } = await createTrainedProject({ csv, target: "demand", request });
    return { projectId, ...(await requestTraining(ctx, { projectId, request })) };
  };
  it.each<[type: string, arrange: () => Promise<{ jobId: string; projectId?: string }>]>([
    ["CreateCheckpoint", () => createCheckpoint(ctx, { projectId: own.projectId })],
    ["CreateScenario", async () => (await postScenario(own, scenarioOf(own))).data],
    ["DeleteCheckpoint", async () => deletion(await createReadyCheckpoint(own.projectId))],
    ["TrainModel", training],
    ["DeleteProject", async () => deleteProject(ctx, { projectId: (await createProject()).id })],
  ])("a job, %s", async (_, arrange) => {
    const { jobId, projectId = own.projectId } = await arrange();
    const found = await lockedBefore(projectId, async () => {
      expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
    });
    expect(found).toEqual(["projects"]);
  });

  it("the removal of a checkpoint, also in the projects whose checkpoints are linked to it", async () => {
    const [upstreamId] = Object.keys(own.pinnedCheckpoints);
    const body = { fileData: base64(inputCsv), dependentProjectCheckpoints: { [upstreamId!]: null } };
    const { id: scenarioId, checkpointId } = await createScenario(own, body);
    await deleteScenario(ctx, { projectId: own.projectId, scenarioId });
    const { jobId } = await deletion(checkpointId!);
    expect(await lockedBefore(upstreamId!, () => runJobHere(jobId))).toEqual(["projects"]);
  });
});

/** Scenario request with a new checkpoint, which the scenario's job publishes. */
function scenarioOf({ pinnedCheckpoints }: PopulatedProject) {
  return { fileData: base64(inputCsv), dependentProjectCheckpoints: pinnedCheckpoints };
}
