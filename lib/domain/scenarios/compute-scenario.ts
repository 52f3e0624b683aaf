import type { Database } from "#db/client";
import type { Warning } from "#lib/contract/warnings";
import { publishReservedCheckpoints } from "#lib/domain/checkpoints/publish-reserved-checkpoints";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { rowsPredictor } from "#lib/domain/models/rows-predictor";
import { reserveSpace } from "#lib/domain/projects/space";
import { PredictionChunks } from "#lib/domain/scenarios/chunks/prediction-chunks";
import { encodeTotals } from "#lib/engine/intervals/stored-totals";
import { discardArtifacts } from "#lib/platform/artifacts/discard-artifacts";
import { predictionBytes } from "#lib/platform/artifacts/recorded-bytes";
import { storedBytes } from "#lib/platform/artifacts/stored-bytes";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { DomainError } from "#lib/platform/errors/domain-error";
import { JobCancelled } from "#lib/platform/jobs/job-errors";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { attemptKey } from "#lib/platform/storage/artifact-key";
import { findScenario, type ScenarioRow } from "./find-scenario.ts";
import { runOfJob, ScenarioJob } from "./job-payload.ts";
import { refreshEffectiveSummary } from "./overrides/store-effective-summary.ts";
import { generationRejection } from "./run/generation-rejection.ts";
import { predictScenario } from "./run/predict-scenario.ts";
import { type PreparedInput, prepareInput } from "./run/prepare-input.ts";
import { publishedInputKey, sentInputKey } from "./run/scenario-input.ts";
import { scenarioModels } from "./run/scenario-models.ts";
import { upstreamOnlyKey } from "./run/upstream-only-columns.ts";
import { completeRun } from "./runs/complete-run.ts";

/**
 * Computes a run of a scenario: publishes the checkpoints that its request reserved, completes its input, predicts,
 * and stores the result in one transaction. Can run again after a crash at any point.
 *
 * @throws {DomainError} validation_failed if the input cannot be generated; quota_exceeded; and the errors of `prepareInput` and
 *   `publishReservedCheckpoints`
 * @throws {JobCancelled} if the scenario or the run was deleted
 */
export async function computeScenario(run: JobRun, rawPayload: unknown): Promise<void> {
  const payload = ScenarioJob.parse(rawPayload);
  const { projectId } = run.job;
  const inputKey = attemptKey(publishedInputKey(projectId, runOfJob(payload)), run.job);
  try {
    if (payload.reserved.length > 0) {
      await run.report(1, { stage: "Saving checkpoints" });
      await publishReservedCheckpoints(run, payload.reserved);
    }
    await predictAndStore(run, await requireRun(run.ctx.db, payload, projectId), payload, inputKey);
  } catch (error) {
    throw generationRejection(error);
  }
}

async function predictAndStore(
  run: JobRun,
  row: ScenarioRow,
  payload: ScenarioJob,
  inputKey: string,
): Promise<void> {
  const { db } = run.ctx;
  const { scenario } = row;
  const { id, runId, projectId } = scenario;
  const models = await scenarioModels(db, row);
  if (models === null) throw new Error(`The checkpoint of scenario ${id} is gone`);
  const series = new LinkedSeries(db, models.folders);
  const { rowsBuildOnEachOther } = models;
  await run.report(10, {
    stage: scenario.source === "Generated" ? "Generating the input" : "Reading the input",
  });
  await writeArtifacts(db, [inputKey], async (releaseClaim) => {
    const { uploadId } = payload;
    const { signal } = run;
    let reported = Promise.resolve();
    const onRead = (share: number) => {
      // If this report fails, the next one fails as well.
      reported = run.report(10 + 30 * share).catch(() => {});
    };
    const preparing = { uploadId, inputKey, rowsBuildOnEachOther, signal, onRead };
    const adjustments = payload.keepsInput ? [] : scenario.adjustments;
    const input = await prepareInput(db, series, { ...scenario, adjustments }, preparing);
    await reported;
    const { rowCount: total } = input;
    const stage = "Predicting";
    await run.report(40, { stage, rows: { total, processed: 0 } });
    const project = await series.project(projectId);
    const history = await series.historyUntil(projectId, input.knownUntil);
    const artifactKey = series.folderOf(projectId);
    const { generated } = input;
    const source = { model: project.model, artifactKey, history, generated };
    await using predictor = rowsPredictor(source, rowsBuildOnEachOther ? 0 : total);
    await using chunks = new PredictionChunks(runId);
    const predicted = await predictScenario(project, input, {
      rowsBuildOnEachOther,
      predictor,
      chunks,
      history,
      members: await project.model.members(),
      onRows: (processed) => run.report(40 + (50 * processed) / total, { stage, rows: { total, processed } }),
    });
    await run.report(90, { stage: "Storing the predictions", rows: { total, processed: total } });
    await input.publish();
    const inputBytes = await storedBytes([inputKey, upstreamOnlyKey(sentInputKey(projectId, runId))]);
    await reserveSpace(db, { projectId, key: inputKey, atLeast: inputBytes + predictionBytes(total) });
    const warnings = resultWarnings(input, [...input.modelWarnings, ...predicted.warnings]);
    await db.transaction(async (tx) => {
      await run.requireCurrentAttempt(tx);
      await releaseClaim(tx);
      const { span, summary, intervals, totals } = predicted;
      await completeRun(
        tx,
        { scenarioId: id, runId },
        {
          inputKey,
          inputBytes,
          rowCount: total,
          summary,
          intervals,
          totals: encodeTotals(totals),
          warnings,
          firstTimestamp: span && new Date(span.first),
          lastTimestamp: span && new Date(span.last),
          knownUntil: knownUntilOf(scenario, input, project),
        },
      );
      await chunks.store(tx);
      await refreshEffectiveSummary(tx, { projectId, scenarioId: id });
      await discardArtifacts(tx, [sentInputKey(projectId, runId)]);
      await publishEvent(tx, {
        projectId,
        name: "scenario-completed",
        entityId: id,
        jobId: run.job.id,
        status: "Completed",
        label: scenario.title,
      });
      await run.complete(tx, { rowsTotal: total, rowsProcessed: total });
    });
  });
}

/** Returns the time of the last known row. An uploaded input also looks back at planned rows, which have no target. */
function knownUntilOf(
  { source }: ScenarioRow["scenario"],
  input: PreparedInput,
  { facts }: LinkedProject,
): Date | null {
  const known = source === "Upload" ? (facts?.lastTimestamp ?? null) : input.knownUntil;
  return known === null ? null : new Date(known);
}

/** Merges the warnings of the file and of the model without duplicates, and adds one warning per input that was forecast. */
function resultWarnings({ warnings, forecasts }: PreparedInput, ofModel: readonly Warning[]): Warning[] {
  const known = new Set(warnings.map(({ code, column }) => `${code} ${column ?? ""}`));
  const fresh = ofModel.filter(({ code, column }) => !known.has(`${code} ${column ?? ""}`));
  const uncertain = forecasts.filter(({ isExact }) => !isExact);
  const generated = uncertain.map(({ feature, method, error, errorKind }): Warning => {
    const tested =
      error === null
        ? "not back-tested"
        : errorKind === "share"
          ? `${Number((100 * error).toPrecision(3))} % wrong values`
          : `typical error ${Number(error.toPrecision(3))}`;
    return {
      code: "generated_input",
      column: feature,
      message: `"${feature}" was generated: ${method} (${tested}).`,
    };
  });
  return [...warnings, ...fresh, ...generated];
}

async function requireRun(db: Database, payload: ScenarioJob, projectId: string): Promise<ScenarioRow> {
  const { scenarioId } = payload;
  try {
    return await findScenario(db, { projectId, scenarioId, run: runOfJob(payload) });
  } catch (error) {
    const isGone =
      error instanceof DomainError && ["scenario_not_found", "run_not_found"].includes(error.code);
    throw isGone ? new JobCancelled() : error;
  }
}
