import { and, eq, isNull } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { scenarios } from "#db/schema/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { publishReservedCheckpoints } from "#lib/domain/checkpoints/publish-checkpoint";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { rowsPredictor } from "#lib/domain/models/rows-predictor";
import { reserveSpace } from "#lib/domain/projects/space";
import { PredictionChunks } from "#lib/domain/scenarios/chunks/prediction-chunks";
import { encodeTotals } from "#lib/engine/intervals/stored-totals";
import { discardArtifacts } from "#lib/platform/artifacts/discard-artifacts";
import { predictionBytes } from "#lib/platform/artifacts/recorded-bytes";
import { storedBytes } from "#lib/platform/artifacts/stored-bytes";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { JobCancelled } from "#lib/platform/jobs/job-errors";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { attemptKey } from "#lib/platform/storage/artifact-key";
import type { ScenarioRef } from "./find-scenario.ts";
import { ScenarioJob } from "./job-payload.ts";
import { generationRejection } from "./run/generation-rejection.ts";
import { predictScenario, type ScenarioPredictions } from "./run/predict-scenario.ts";
import { type PreparedInput, prepareInput } from "./run/prepare-input.ts";
import { publishedInputKey, sentInputKey } from "./run/scenario-input.ts";
import { scenarioModels } from "./run/scenario-models.ts";
import { upstreamOnlyKey } from "./run/upstream-only-columns.ts";

type StoredScenario = typeof scenarios.$inferSelect;

/**
 * Computes a scenario's predictions: publishes the checkpoints that its request reserved, completes its input, predicts,
 * and stores the result in one transaction. Can run again after a crash at any point.
 *
 * @throws {DomainError} validation_failed if the input cannot be generated; quota_exceeded; and the errors of `prepareInput` and
 *   `publishReservedCheckpoints`
 * @throws {JobCancelled} if the scenario was deleted
 */
export async function computeScenario(run: JobRun, rawPayload: unknown): Promise<void> {
  const payload = ScenarioJob.parse(rawPayload);
  const { projectId } = run.job;
  const { scenarioId } = payload;
  const ids = { projectId, scenarioId };
  const inputKey = attemptKey(publishedInputKey(projectId, scenarioId), run.job);
  try {
    if (payload.reserved.length > 0) {
      await run.report(1, { stage: "Saving checkpoints" });
      await publishReservedCheckpoints(run, payload.reserved);
    }
    await predictAndStore(run, await requireScenario(run.ctx.db, ids), payload, inputKey);
  } catch (error) {
    throw generationRejection(error);
  }
}

async function predictAndStore(
  run: JobRun,
  scenario: StoredScenario,
  payload: ScenarioJob,
  inputKey: string,
): Promise<void> {
  const { db } = run.ctx;
  const { id, projectId } = scenario;
  const models = await scenarioModels(db, scenario);
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
    const input = await prepareInput(db, series, scenario, preparing);
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
    await using chunks = new PredictionChunks(id);
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
    const inputBytes = await storedBytes([inputKey, upstreamOnlyKey(sentInputKey(projectId, id))]);
    await reserveSpace(db, { projectId, key: inputKey, atLeast: inputBytes + predictionBytes(total) });
    const warnings = resultWarnings(input, [...input.modelWarnings, ...predicted.warnings]);
    await db.transaction(async (tx) => {
      await run.requireCurrentAttempt(tx);
      await releaseClaim(tx);
      await storeResult(tx, scenario, { ...predicted, inputKey, inputBytes, warnings, rowCount: total });
      await chunks.store(tx);
      await discardArtifacts(tx, [sentInputKey(projectId, id)]);
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

async function storeResult(
  tx: Transaction,
  { id }: StoredScenario,
  {
    span,
    summary,
    intervals,
    totals,
    inputKey,
    inputBytes,
    rowCount,
    warnings,
  }: ScenarioPredictions & { inputKey: string; inputBytes: number; rowCount: number },
): Promise<void> {
  const [stored] = await tx
    .update(scenarios)
    .set({
      inputKey,
      inputBytes,
      rowCount,
      summary,
      intervals,
      totals: encodeTotals(totals),
      warnings,
      firstTimestamp: span && new Date(span.first),
      lastTimestamp: span && new Date(span.last),
    })
    .where(and(eq(scenarios.id, id), isNull(scenarios.deletedAt)))
    .returning({ id: scenarios.id });
  if (stored === undefined) throw new JobCancelled();
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

async function requireScenario(
  db: Database,
  { projectId, scenarioId }: ScenarioRef,
): Promise<StoredScenario> {
  const [row] = await db
    .select()
    .from(scenarios)
    .where(
      and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId), isNull(scenarios.deletedAt)),
    );
  if (row === undefined) throw new JobCancelled();
  return row;
}
