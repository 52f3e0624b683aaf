import { eq } from "drizzle-orm";
import { jobs } from "#db/schema/jobs";
import { scenarioOverrides, scenarios } from "#db/schema/scenarios";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { requestTraining } from "#lib/domain/models/request-training";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { summarize } from "#lib/engine/series/summary";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { createProject, createUser, testContext } from "../api.ts";
import {
  createPopulatedProject,
  createReadyCheckpoint,
  createWaitingScenario,
} from "../populated-project.ts";
import { runJobHere } from "../run-jobs.ts";
import { base64, createScenario, postScenario } from "../scenario-factory.ts";

/**
 * Statements that violate each invariant, with the database constraint that rejects them. The constraint is null if
 * only code enforces the invariant.
 */
export type Breaches = Record<string, [rejectedBy: string | null, statement: (facts: Facts) => string][]>;

export type Facts = Awaited<ReturnType<typeof createFacts>>;

/** Creates data for violations: a project and its upstream project, with one of everything in every state. */
export async function createFacts() {
  const ctx = testContext();
  const used = await createPopulatedProject({ name: "Used" });
  const own = await createPopulatedProject({ upstream: [used] });
  const { projectId, as, checkpointId, modelId, scenarioId, otherScenarioId, comparisonId, jobId, keyId } =
    own;
  const spare = await createReadyCheckpoint(projectId);
  const deleting = await createReadyCheckpoint(projectId);
  await deleteCheckpoint(ctx, { projectId, checkpointId: deleting });
  const cancelled = (await createCheckpoint(ctx, { projectId })).jobId;
  await cancelJob(ctx, { jobId: cancelled }, abandonOf);
  const project = { projectId, as };
  const fileData = base64("temp,wind\n1,2\n");
  const linking = await createScenario(project, {
    fileData,
    dependentProjectCheckpoints: { [used.projectId]: null },
  });
  const pinnedCheckpoints = { [used.projectId]: used.checkpointId };
  const waiting = await createWaitingScenario({ ...used, projectId, as, checkpointId, pinnedCheckpoints });
  const { data: saving } = await postScenario(project, {
    fileData,
    dependentProjectCheckpoints: pinnedCheckpoints,
  });
  const unmade = await createWaitingScenario({ ...used, projectId, as, checkpointId, pinnedCheckpoints });
  await cancelJob(ctx, { jobId: unmade.jobId }, abandonOf);
  const leaving = await createScenario(project, {
    fileData,
    checkpointId,
    dependentProjectCheckpoints: pinnedCheckpoints,
  });
  await deleteScenario(ctx, { projectId, scenarioId: leaving.id });
  await requestTraining(ctx, { projectId, request: {} });
  const gone = (await createProject()).id;
  await deleteProject(ctx, { projectId: gone });
  const removed = (await createProject()).id;
  const { jobId: removal } = await deleteProject(ctx, { projectId: removed });
  await runJobHere(removal);
  const overrideId = await storeOverride(projectId, scenarioId);
  const [reservation] = await database().select().from(jobs).where(eq(jobs.id, jobId));
  return {
    projectId,
    modelId,
    checkpointId,
    scenarioId,
    otherScenarioId,
    keyId,
    webhookId: own.webhookId,
    deliveryId: own.deliveryId,
    spare,
    deleting,
    cancelled,
    comparisonId,
    overrideId,
    used,
    gone,
    removed,
    removal,
    leavingScenario: leaving.id,
    free: (await createProject()).id,
    reserved: reservation!.checkpointId!,
    reservationJob: jobId,
    completedJob: linking.jobId,
    linkingMain: linking.checkpointId!,
    linked: linking.dependentProjectCheckpoints[used.projectId]!,
    waitingScenario: waiting.scenarioId,
    waitingJob: waiting.jobId,
    savingScenario: saving.scenarioId,
    savingJob: saving.jobId,
    unmadeScenario: unmade.scenarioId,
    unmadeJob: unmade.jobId,
    admin: (await createUser()).id,
  };
}

/** Stores an active override of a scenario, which has no times. */
async function storeOverride(projectId: string, scenarioId: string): Promise<string> {
  const id = newId();
  const [from, to] = [new Date("2026-01-01"), new Date("2026-01-02")];
  const by = { reason: "Fair", createdBy: "user-of-tests" };
  await database().transaction(async (tx) => {
    await tx
      .insert(scenarioOverrides)
      .values({ id, projectId, scenarioId, slot: 1, from, to, operation: "set", value: 1, ...by });
    await tx
      .update(scenarios)
      .set({ effectiveSummary: summarize(Float64Array.of(1)) })
      .where(eq(scenarios.id, scenarioId));
  });
  return id;
}

/** Returns a statement that copies a row with changes. The copy has a new id unless the changes contain one. */
export function copy(table: string, id: string, changes: Record<string, unknown>): string {
  const json = JSON.stringify({ id: newId(), ...changes });
  return `insert into ${table} select (jsonb_populate_record(t, '${json}')).* from ${table} t where id = '${id}'`;
}

/** Returns statements that add a scenario with a run, a pending job and pinned checkpoints. `changes` are those of the run. */
export function newScenario(
  f: Facts,
  changes: Record<string, unknown>,
  ...pinnedCheckpoints: [string, string][]
): string {
  const { id = newId(), job_id = newId() } = changes;
  const { source = "Upload", deleted_at = null, ...ofRun } = changes;
  const pinned = pinnedCheckpoints.map(
    ([project, one]) => `insert into scenario_checkpoints values ('${id}', '${project}', '${one}')`,
  );
  return [
    copy("scenarios", f.waitingScenario, { id, source, deleted_at, shown_run_id: id }),
    copy("scenario_runs", f.waitingScenario, { scenario_id: id, ...ofRun, id, job_id }),
    ...pinned,
    copy("jobs", f.waitingJob, { id: job_id, scenario_id: id }),
  ].join("; ");
}

/** Returns a statement that adds a chunk of `count` zeros to a run's series. */
export const insertChunk = (runId: string, series: string, count = 1): string =>
  `insert into prediction_chunks values ('${runId}', '${series}', 0, 0, ${count}, decode(repeat('00', ${8 * count}), 'hex'))`;

/** Returns a statement that changes the row with that id. */
export const set = (table: string, id: string, assignments: string): string =>
  `update ${table} set ${assignments} where id = '${id}'`;
