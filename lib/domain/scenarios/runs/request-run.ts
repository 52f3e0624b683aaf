import { and, desc, eq, isNull } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { scenarioRuns } from "#db/schema/scenarios";
import type { RequestRun } from "#lib/contract/scenario-runs";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { checkScenarioInput } from "#lib/domain/scenarios/check-request";
import { findReadyScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { getScenario } from "#lib/domain/scenarios/get-scenario";
import { lockScenario } from "#lib/domain/scenarios/lock-scenario";
import { endAfter, stepsUntil } from "#lib/domain/scenarios/run/plan-generation";
import { modelFolders, resolveModels } from "#lib/domain/scenarios/run/resolve-models";
import { readInputNotes, sentInputKey } from "#lib/domain/scenarios/run/scenario-input";
import { upstreamOnlyKey } from "#lib/domain/scenarios/run/upstream-only-columns";
import type { InputSource } from "#lib/domain/scenarios/scenario-request";
import { storedBytes } from "#lib/platform/artifacts/stored-bytes";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { isTerminal } from "#lib/platform/jobs/states";
import { insertRun, Outdated, pinChosen, pinnedCheckpointsOf, untilCurrent } from "./insert-run.ts";

type AcceptedRun = {
  jobId: string;
  status: "Pending";
  runId: string;
  scenarioId: string;
  checkpointId: string;
};

type Request = ScenarioRef & RequestRun;

/**
 * Runs a scenario again, by the same recipe and with the newest known rows. A job computes the predictions. Until it completes,
 * the scenario shows its former run. Replaces an earlier run that failed or was cancelled.
 *
 * @throws {DomainError} scenario_not_found; precondition_failed; scenario_not_ready if the first run has not completed, or while another run waits; and
 *   the errors of `resolveModels`, `checkScenarioInput` and `insertRun`
 */
export async function requestRun(ctx: Context, request: Request): Promise<AcceptedRun> {
  await jobSender();
  return untilCurrent(() => attemptRun(ctx, request));
}

async function attemptRun(ctx: Context, request: Request): Promise<AcceptedRun> {
  const { db } = ctx;
  const former = await findReadyScenario(ctx, request);
  const { id: scenarioId, projectId } = former.scenario;
  const chosen = await resolveModels(db, {
    projectId,
    checkpointId: (await checkpointOf(db, former, request.checkpointId)) ?? undefined,
    dependentProjectCheckpoints: request.dependentProjectCheckpoints ?? pinsOf(former),
  });
  await findEndedRun(db, scenarioId);
  const series = new LinkedSeries(db, modelFolders(chosen));
  const project = await series.project(projectId);
  const recipe = await recipeOf(former, project);
  const runId = newId();
  const storeAs = sentInputKey(projectId, runId);
  return writeArtifacts(db, [storeAs, upstreamOnlyKey(storeAs)], async (releaseClaim) => {
    const warnings = await checkScenarioInput(db, series, project, recipe.source, {
      adjustments: recipe.keepsInput ? [] : former.scenario.adjustments,
      pinnedCheckpoints: pinnedCheckpointsOf(chosen),
      storeAs,
      signal: ctx.signal,
    });
    const inputBytes = await storedBytes([storeAs, upstreamOnlyKey(storeAs)]);
    return db.transaction(async (tx) => {
      const pinned = await pinChosen(tx, ctx, { projectId, chosen, label: null });
      await replaceEndedRun(tx, ctx, former);
      await releaseClaim(tx);
      const { checkpointId } = pinned;
      const { jobId, status } = await insertRun(tx, ctx, {
        projectId,
        scenarioId,
        runId,
        pinned,
        endDate: recipe.endDate,
        steps: recipe.steps,
        inputBytes,
        warnings,
        checkpointLabel: null,
        uploadId: null,
        keepsInput: recipe.keepsInput,
      });
      const { title: label } = former.scenario;
      await recordChange(tx, ctx, "scenario.run-requested", { projectId, entityId: scenarioId, label });
      return storeIdempotentResponse(tx, ctx, { jobId, status, runId, scenarioId, checkpointId });
    });
  });
}

/** Locks the scenario, and deletes the run that failed or was cancelled. The project is locked, so no other run begins. */
async function replaceEndedRun(tx: Transaction, ctx: Context, former: ScenarioRow): Promise<void> {
  const { id: scenarioId, projectId, runId } = former.scenario;
  const present = await lockScenario(tx, { projectId, scenarioId });
  await requireIfMatch(ctx, () => getScenario({ db: tx }, { projectId, scenarioId }));
  if (present.scenario.runId !== runId) throw new Outdated();
  const ended = await findEndedRun(tx, scenarioId);
  if (ended !== null) await tx.delete(scenarioRuns).where(eq(scenarioRuns.id, ended));
}

/**
 * Returns the run of a scenario that failed or was cancelled; null if all have completed.
 *
 * @throws {DomainError} scenario_not_ready while a run waits
 */
async function findEndedRun(db: Queryable, scenarioId: string): Promise<string | null> {
  const [run] = await db
    .select({ id: scenarioRuns.id, jobId: jobs.id, status: jobs.status })
    .from(scenarioRuns)
    .innerJoin(jobs, eq(jobs.id, scenarioRuns.jobId))
    .where(and(eq(scenarioRuns.scenarioId, scenarioId), isNull(scenarioRuns.completedAt)));
  if (run === undefined) return null;
  if (isTerminal(run.status)) return run.id;
  const message = `A run of the scenario is ${run.status}. Wait until its job ${run.jobId} is Completed, or cancel the job, and send the request again.`;
  throw issueError("scenario_not_ready", { id: run.id, code: "run_open", message });
}

/** Returns the requested checkpoint, by default that of the former run; null for a new one of the current model. */
async function checkpointOf(
  db: Queryable,
  { scenario }: ScenarioRow,
  requested: Request["checkpointId"],
): Promise<string | null> {
  if (requested !== "current") return requested ?? scenario.checkpointId;
  const [newest] = await db
    .select({ id: checkpoints.id })
    .from(checkpoints)
    .innerJoin(projects, eq(projects.currentModelId, checkpoints.modelId))
    .where(and(eq(projects.id, scenario.projectId), eq(checkpoints.state, "ready")))
    .orderBy(desc(checkpoints.createdAt))
    .limit(1);
  return newest?.id ?? null;
}

const pinsOf = ({ pinned }: ScenarioRow): Record<string, string | null> =>
  Object.fromEntries(pinned.map(({ projectId, checkpointId }) => [projectId, checkpointId]));

type Recipe = {
  source: InputSource;
  endDate: Date | null;
  steps: number | null;
  keepsInput: boolean;
};

/**
 * Returns how the next run gets its input.
 *
 * - Generated: as many steps after the newest known row as the first run had, also if it was created with an end date. Otherwise
 *   a scenario of twelve months would shrink with each month of new rows, and could not run once its end date is known.
 * - Based on another scenario: the adjustments, applied to the newest run of that scenario.
 * - Uploaded, or based on a scenario that was deleted: the input of the former run.
 */
async function recipeOf({ scenario }: ScenarioRow, { facts }: LinkedProject): Promise<Recipe> {
  const { source, baseScenarioId } = scenario;
  if (source === "Clone" && baseScenarioId !== null)
    return { source: { kind: "Clone", baseScenarioId }, endDate: null, steps: null, keepsInput: false };
  if (source !== "Generated")
    return {
      source: { kind: "Clone", baseScenarioId: scenario.id },
      endDate: null,
      steps: null,
      keepsInput: true,
    };
  const steps = facts && (scenario.steps ?? (await firstSteps(scenario, facts)));
  const end = steps === null ? null : endAfter(facts!, steps);
  return {
    source: { kind: "Generated", endDate: end, endsOnDay: false },
    endDate: scenario.endDate && end !== null ? new Date(end) : null,
    steps,
    keepsInput: false,
  };
}

/** Returns the number of steps from the last row that the first run knew to its end; null if it cannot be counted. */
async function firstSteps(
  { inputKey, lastTimestamp }: ScenarioRow["scenario"],
  facts: NonNullable<LinkedProject["facts"]>,
): Promise<number | null> {
  const { knownUntil } = await readInputNotes(inputKey!);
  if (knownUntil === null || lastTimestamp === null) return null;
  return stepsUntil(facts, knownUntil, lastTimestamp.getTime());
}
