import type { CheckpointRecord, ClassFigures } from "#lib/contract/actuals";
import { CLASS_METRICS } from "#lib/contract/metric-names";
import type { Table } from "#lib/contract/table";
import type { CheckpointRow } from "#lib/domain/checkpoints/find-checkpoint";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import type { SeriesSources } from "#lib/domain/models/linked/serving-series";
import type { OpenModel } from "#lib/domain/models/open-model";
import { CHART_POINTS } from "#lib/engine/series/downsample";
import { store } from "#lib/platform/storage/store";
import { judgeModel } from "./judge-model.ts";
import { judgePanel } from "./judge-panel.ts";
import { chartPoints, measure, metricOf, noChartPoints } from "./measure.ts";
import { naiveModelName, naiveOf } from "./naive-of.ts";
import { choosePeriod, formatInstant, measurePeriods } from "./periods.ts";
import { lastKnownTarget } from "./target-rows.ts";
import { whereComputable } from "./where-computable.ts";

export type MeasuredCheckpoint = Pick<CheckpointRow, "id" | "projectId" | "artifactKey" | "trainingMetrics">;

/** Measures a checkpoint, as `checkpointRecord` describes. */
export async function measureCheckpoint({
  row,
  sources,
  maxPoints = CHART_POINTS,
}: {
  row: MeasuredCheckpoint;
  sources: SeriesSources;
  maxPoints?: number | undefined;
}): Promise<CheckpointRecord> {
  const { projectId } = row;
  const series = new LinkedSeries(sources.datasets, sources.folders);
  const project = await series.project(projectId);
  const nothing = await emptyRecord(row, project);
  const { model } = project;
  const since = model.state.lastTimestamp;
  const { timestamp } = model.state;
  if (timestamp === null || since === null) return { ...nothing, reason: noTimes(model) };
  const { knownUntil } = nothing;
  // The rows of many series take long to read.
  const isNewer = !model.state.series || (knownUntil !== null && Date.parse(knownUntil) > since);
  const history = isNewer ? await whereComputable(series.history(projectId)) : null;
  if (history !== null && "reason" in history) return { ...nothing, reason: history.reason };
  const judged = history && (await judge(model, { history, timestamp, since }));
  if (judged === null) return { ...nothing, reason: nothingNew(project, since) };
  if ("reason" in judged) return { ...nothing, reason: judged.reason };
  const { rows, totals, ...sampled } = judged;
  const period = choosePeriod(totals.times);
  return {
    ...nothing,
    ...sampled,
    reason: null,
    baselineName: naiveModelName(naiveOf(model), model.state.classes),
    errors: measure(rows),
    period,
    periods: measurePeriods(rows, period, model.state.timezone),
    ...chartPoints(totals, maxPoints),
  };
}

/** Predicts the rows after a time; of many series, sampled ones and their sums. */
async function judge(model: OpenModel, known: { history: Table; timestamp: string; since: number }) {
  if (model.state.series) return judgePanel(model, known);
  const rows = await judgeModel(model, known);
  return rows === null || "reason" in rows ? rows : { rows, totals: rows };
}

async function emptyRecord(
  { id, artifactKey, trainingMetrics }: MeasuredCheckpoint,
  { model: { state }, dataset }: LinkedProject,
): Promise<CheckpointRecord> {
  const { validation, baseline } = trainingMetrics;
  const instant = (time: number | null | undefined) =>
    time === null || time === undefined ? null : new Date(time).toISOString();
  return {
    checkpointId: id,
    target: state.target,
    madeUntil: instant(state.lastTimestamp),
    knownUntil: instant(await lastKnownTarget(dataset, { target: state.target, classes: state.classes })),
    horizon: state.horizon,
    reason: null,
    baselineName: null,
    errors: null,
    period: "week",
    timezone: state.timezone,
    periods: [],
    validation: {
      rmse: metricOf(validation, "rmse"),
      mae: metricOf(validation, "mae"),
      bias: metricOf(validation, "bias"),
      coverage: await coverageOf(artifactKey),
      ...(state.classes && classFigures(validation)),
      baseline: {
        rmse: metricOf(baseline, "rmse"),
        mae: metricOf(baseline, "mae"),
        ...(state.classes && classFigures(baseline)),
      },
    },
    ...noChartPoints(),
  };
}

function classFigures(metrics: CheckpointRow["trainingMetrics"]["validation"]) {
  return Object.fromEntries(CLASS_METRICS.map((name) => [name, metricOf(metrics, name)])) as ClassFigures;
}

/** Reads the interval coverage that training measured. */
async function coverageOf(artifactKey: string): Promise<number | null> {
  const bytes = await store().readFile(artifactKey, "metrics.json");
  return (JSON.parse(bytes.toString()) as { coverage?: number | null }).coverage ?? null;
}

function noTimes({ state }: OpenModel): string {
  return state.imported
    ? "The model is imported, so it is unknown which rows are new to it."
    : "The data has no timestamps, so new rows cannot be identified.";
}

function nothingNew({ dataset, model }: LinkedProject, since: number): string {
  if (dataset === null || dataset.target !== model.state.target)
    return `The target of the project's dataset is no longer "${model.state.target}".`;
  return `No actual values have arrived since ${formatInstant(since)}, the end of the model's data.`;
}
