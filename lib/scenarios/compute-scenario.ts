import { and, eq, isNull } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { scenarios } from "#db/schema/scenarios";
import { discardArtifacts } from "#lib/artifacts/discard-artifacts";
import { writeArtifacts } from "#lib/artifacts/write-artifacts";
import { publishReservedCheckpoints } from "#lib/checkpoints/publish-checkpoint";
import type { Warning } from "#lib/contract/datasets";
import { faultPoint } from "#lib/jobs/fault-point";
import { JobCancelled } from "#lib/jobs/job-errors";
import type { JobRun } from "#lib/jobs/job-run";
import type { StoredSeries } from "#lib/predictions/read-predictions";
import { storePredictions } from "#lib/predictions/store-predictions";
import { publishEvent } from "#lib/realtime/publish-event";
import { summarize } from "#lib/series/summary";
import { attemptKey } from "#lib/storage/attempt-folders";
import { generationRefusal } from "./generation-refusal.ts";
import { ScenarioJob } from "./job-payload.ts";
import { type MadeInput, makeInput } from "./make-input.ts";
import { PinnedSeries } from "./pinned-series.ts";
import { predictScenario } from "./predict-scenario.ts";
import { presentGenerated } from "./present-generated.ts";
import { finalInputPlace, sentInputKey, writeScenarioInput } from "./scenario-input.ts";
import { scenarioModels } from "./scenario-models.ts";

type ScenarioRow = typeof scenarios.$inferSelect;

/**
 * Makes a scenario's predictions: publishes the checkpoints that its request reserved, completes its input, predicts,
 * and stores everything in one transaction. May run again after a crash at any point.
 *
 * @throws {DomainError} where the input turns out not to fit
 */
export async function computeScenario(run: JobRun, rawPayload: unknown): Promise<void> {
  const payload = ScenarioJob.parse(rawPayload);
  const { projectId } = run.job;
  const { scenarioId } = payload;
  const ids = { projectId, scenarioId };
  const inputKey = attemptKey(finalInputPlace(projectId, scenarioId), run.job);
  try {
    if (payload.reserved.length > 0) {
      await run.report(1, { stage: "Saving checkpoints" });
      await publishReservedCheckpoints(run, payload.reserved);
      faultPoint(run.job, "checkpoints published");
    }
    await predictAndStore(run, await requireScenario(run.ctx.db, ids), payload, inputKey);
  } catch (error) {
    throw generationRefusal(error);
  }
  faultPoint(run.job, "result committed");
}

async function predictAndStore(
  run: JobRun,
  scenario: ScenarioRow,
  payload: ScenarioJob,
  inputKey: string,
): Promise<void> {
  const { db } = run.ctx;
  const { id, projectId } = scenario;
  const models = await scenarioModels(db, scenario);
  if (models === null) throw new Error(`The checkpoint of scenario ${id} is gone`);
  const pinned = new PinnedSeries(db, models.folders);
  await run.report(10, {
    stage: scenario.source === "Generated" ? "Generating the input" : "Reading the input",
  });
  const input = await makeInput(db, pinned, scenario, payload.uploadId, run.signal);
  faultPoint(run.job, "input made");
  const total = input.table.rowCount;
  const stage = "Predicting";
  await run.report(40, { stage, rows: { total, processed: 0 } });
  const history = await pinned.historyUntil(projectId, input.knownUntil);
  const { series, warnings } = await predictScenario(
    await pinned.project(projectId),
    { table: input.table, history },
    {
      buildOnEachOther: models.buildOnEachOther,
      onRows: (processed) => run.report(40 + (50 * processed) / total, { stage, rows: { total, processed } }),
    },
  );
  faultPoint(run.job, "predicted");
  await run.report(90, { stage: "Storing the predictions", rows: { total, processed: total } });
  await writeArtifacts(db, [inputKey], async (claim) => {
    await writeScenarioInput(inputKey, input, presentGenerated(input.forecasts));
    faultPoint(run.job, "input written");
    await db.transaction(async (tx) => {
      await run.hold(tx);
      await claim(tx);
      await storeResult(tx, scenario, series, { inputKey, warnings: resultWarnings(input, warnings) });
      await discardArtifacts(tx, [sentInputKey(projectId, id)]);
      faultPoint(run.job, "predictions stored");
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
  { id }: ScenarioRow,
  series: StoredSeries,
  { inputKey, warnings }: { inputKey: string; warnings: Warning[] },
): Promise<void> {
  const span = series.timestamps === null ? null : timeSpan(series.timestamps);
  const [stored] = await tx
    .update(scenarios)
    .set({
      inputKey,
      rowCount: series.prediction.length,
      firstTimestamp: span && new Date(span.first),
      lastTimestamp: span && new Date(span.last),
      summary: summarize(series.prediction),
      warnings,
    })
    .where(and(eq(scenarios.id, id), isNull(scenarios.deletedAt)))
    .returning({ id: scenarios.id });
  if (stored === undefined) throw new JobCancelled();
  await storePredictions(tx, id, series);
}

function timeSpan(timestamps: Float64Array): { first: number; last: number } | null {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const time of timestamps) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return first > last ? null : { first, last };
}

/** Of the file and of the model, each once, and how generated inputs were continued. */
function resultWarnings({ warnings, forecasts }: MadeInput, ofModel: readonly Warning[]): Warning[] {
  const known = new Set(warnings.map(({ code, column }) => `${code} ${column ?? ""}`));
  const fresh = ofModel.filter(({ code, column }) => !known.has(`${code} ${column ?? ""}`));
  const generated = forecasts.map(({ feature, method, error, errorKind }): Warning => {
    const size =
      error === null
        ? ""
        : errorKind === "share"
          ? `${Number((100 * error).toPrecision(3))} % wrong`
          : `typical error ${Number(error.toPrecision(3))}`;
    const tested = error === null ? "not tested on earlier data" : size;
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
  { projectId, scenarioId }: { projectId: string; scenarioId: string },
): Promise<ScenarioRow> {
  const [row] = await db
    .select()
    .from(scenarios)
    .where(
      and(eq(scenarios.projectId, projectId), eq(scenarios.id, scenarioId), isNull(scenarios.deletedAt)),
    );
  if (row === undefined) throw new JobCancelled();
  return row;
}
