import type { Context } from "#lib/context/context";
import type { CheckpointRecord } from "#lib/contract/actuals";
import type { Table } from "#lib/contract/table";
import { type CheckpointRow, findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import type { OpenModel } from "#lib/domain/models/open-model";
import { servingSeries } from "#lib/domain/predictions/serving-series";
import type { PinnedProject } from "#lib/domain/scenarios/run/pinned-models";
import { GenerationImpossible } from "#lib/engine/forecasting/generate-inputs";
import { DomainError } from "#lib/platform/errors/domain-error";
import { store } from "#lib/platform/storage/store";
import { tellTime } from "./format-instant.ts";
import { judgeModel } from "./judge-model.ts";
import { drawn, measure, metricOf, nothingDrawn } from "./measure.ts";
import { naiveModelName, naiveOf } from "./naive-of.ts";
import { choosePeriod, measurePeriods } from "./periods.ts";

type Wanted = { projectId: string; checkpointId: string; maxPoints?: number | undefined };

const POINTS_DEFAULT = 1_000;

/**
 * How a checkpoint has done since it was made: over the rows that arrived after its model's data ended, beside the
 * naive forecast.
 *
 * @throws {DomainError} checkpoint_not_found
 */
export async function checkpointRecord(ctx: Context, wanted: Wanted): Promise<CheckpointRecord> {
  const { projectId } = wanted;
  const row = await findCheckpoint(ctx.db, wanted);
  const chosen = { checkpointId: row.id, artifactKey: row.artifactKey, sha256: row.sha256 };
  const series = await servingSeries(ctx.db, projectId, chosen);
  const project = await series.project(projectId);
  const nothing = await emptyRecord(row, project);
  const { model } = project;
  const since = model.state.lastTimestamp;
  const { timestamp } = model.state;
  if (timestamp === null || since === null) return { ...nothing, reason: noTimes(model) };
  const history = await whereComputable(series.history(projectId));
  if (history !== null && "reason" in history) return { ...nothing, reason: history.reason };
  const judged = history && (await judgeModel(model, { history, timestamp, since }));
  if (judged === null) return { ...nothing, reason: nothingNew(project, since) };
  if ("reason" in judged) return { ...nothing, reason: judged.reason };
  const period = choosePeriod(judged.times);
  return {
    ...nothing,
    reason: null,
    baselineName: naiveModelName(naiveOf(model)),
    errors: measure(judged),
    period,
    periods: measurePeriods(judged, period, model.state.timezone),
    ...drawn(judged, wanted.maxPoints ?? POINTS_DEFAULT),
  };
}

async function emptyRecord(
  { id, artifactKey, trainingMetrics }: CheckpointRow,
  { model: { state }, dataset }: PinnedProject,
): Promise<CheckpointRecord> {
  const { validation, baseline } = trainingMetrics;
  const instant = (time: number | null | undefined) =>
    time === null || time === undefined ? null : new Date(time).toISOString();
  return {
    checkpointId: id,
    target: state.target,
    madeUntil: instant(state.lastTimestamp),
    knownUntil: instant(dataset?.lastTimestamp?.getTime()),
    horizon: state.horizon,
    ...{ reason: null, baselineName: null, errors: null, period: "week", periods: [] },
    validation: {
      ...{ rmse: metricOf(validation, "rmse"), mae: metricOf(validation, "mae") },
      ...{ bias: metricOf(validation, "bias"), coverage: await coverageOf(artifactKey) },
      baseline: { rmse: metricOf(baseline, "rmse"), mae: metricOf(baseline, "mae") },
    },
    ...nothingDrawn(),
  };
}

/** The coverage that was observed when the model was made. */
async function coverageOf(artifactKey: string): Promise<number | null> {
  const bytes = await store().readFile(artifactKey, "metrics.json");
  return (JSON.parse(bytes.toString()) as { coverage?: number | null }).coverage ?? null;
}

/** Upstream features of new rows may not be computable; that is told, and no fault of who asks. */
async function whereComputable(history: Promise<Table | null>): Promise<Table | null | { reason: string }> {
  try {
    return await history;
  } catch (error) {
    if (error instanceof DomainError || error instanceof GenerationImpossible)
      return { reason: error.message };
    throw error;
  }
}

function noTimes({ state }: OpenModel): string {
  return state.imported
    ? "The model was brought from outside: which rows are new to it is not known."
    : "The data has no times, so that it cannot be told which rows are new.";
}

function nothingNew({ dataset, model }: PinnedProject, since: number): string {
  if (dataset === null || dataset.target !== model.state.target)
    return `The project's dataset has no "${model.state.target}" any more.`;
  return `No rows have arrived since ${tellTime(since)}, where the model's data ends.`;
}
