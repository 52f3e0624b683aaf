import { eq } from "drizzle-orm";
import { database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { newId } from "#lib/platform/ids/new-id";
import { abandonOf } from "#lib/worker/handler-registry";
import { createProject, createUser, testContext } from "../api.ts";
import {
  createPopulatedProject,
  createReadyCheckpoint,
  createWaitingScenario,
} from "../populated-project.ts";
import { runJobHere } from "../run-jobs.ts";
import { base64, createScenario, postScenario } from "../scenario-factory.ts";

/**
 * Invariant → statements that break it, each with the constraint of the database that refuses it; null where code alone
 * keeps the invariant.
 */
export type Breaches = Record<string, [refusedBy: string | null, statement: (facts: Facts) => string][]>;

export type Facts = Awaited<ReturnType<typeof createFacts>>;

/** What there is to be broken: two projects, one of which uses the other, with one of everything in every state. */
export async function createFacts() {
  const ctx = testContext();
  const used = await createPopulatedProject({ name: "Used" });
  const { projectId, as, checkpointId, modelId, scenarioId, otherScenarioId, jobId, keyId } =
    await createPopulatedProject({ upstream: [used] });
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
  const pins = { [used.projectId]: used.checkpointId };
  const waiting = await createWaitingScenario({ ...used, projectId, as, checkpointId, pins });
  const { data: saving } = await postScenario(project, { fileData, dependentProjectCheckpoints: pins });
  const unmade = await createWaitingScenario({ ...used, projectId, as, checkpointId, pins });
  await cancelJob(ctx, { jobId: unmade.jobId }, abandonOf);
  const leaving = await createScenario(project, {
    fileData,
    checkpointId,
    dependentProjectCheckpoints: pins,
  });
  await deleteScenario(ctx, { projectId, scenarioId: leaving.id });
  const gone = (await createProject()).id;
  await deleteProject(ctx, { projectId: gone });
  const removed = (await createProject()).id;
  const { jobId: removal } = await deleteProject(ctx, { projectId: removed });
  await runJobHere(removal);
  const [reservation] = await database().select().from(jobs).where(eq(jobs.id, jobId));
  return {
    ...{ projectId, modelId, checkpointId, scenarioId, otherScenarioId, keyId, spare, deleting, cancelled },
    ...{ used, gone, removed, removal, leavingScenario: leaving.id, free: (await createProject()).id },
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

/** Copies a row, but for what is changed; a new id, where none is given. */
export function copy(table: string, id: string, changes: Record<string, unknown>): string {
  const json = JSON.stringify({ id: newId(), ...changes });
  return `insert into ${table} select (jsonb_populate_record(t, '${json}')).* from ${table} t where id = '${id}'`;
}

/** A scenario more, with a job that waits, and the checkpoints that it pins. */
export function newScenario(f: Facts, changes: Record<string, unknown>, ...pins: [string, string][]): string {
  const { id = newId(), job_id = newId() } = changes;
  const pinned = pins.map(
    ([project, one]) => `insert into scenario_checkpoints values ('${id}', '${project}', '${one}')`,
  );
  return [
    copy("scenarios", f.waitingScenario, { ...changes, id, job_id }),
    ...pinned,
    copy("jobs", f.waitingJob, { id: job_id, scenario_id: id }),
  ].join("; ");
}

/** A piece of a scenario's predictions, past all code: `count` numbers. */
export const insertChunk = (scenarioId: string, series: string, count = 1): string =>
  `insert into prediction_chunks values ('${scenarioId}', '${series}', 0, 0, ${count}, decode(repeat('00', ${8 * count}), 'hex'))`;

/** Changes the row with that id. */
export const set = (table: string, id: string, assignments: string): string =>
  `update ${table} set ${assignments} where id = '${id}'`;
