import { eq, sql } from "drizzle-orm";
import { type ModelDetails, models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import type { OutputOption } from "#lib/contract/import-model";
import { isHigherBetter, metricName } from "#lib/contract/metric-names";
import type { InputFeature } from "#lib/contract/models";
import type { Warning } from "#lib/contract/warnings";
import { lockProject } from "#lib/domain/projects/lock-project";
import { requireSpace } from "#lib/domain/projects/space";
import type { FittedModel, ModelSummary } from "#lib/engine/training/model-summary";
import { artifactBytes, artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { recordChange } from "#lib/platform/audit/record-change";
import { newId } from "#lib/platform/ids/new-id";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { dropParts } from "#lib/platform/jobs/parts";
import { attemptKey } from "#lib/platform/storage/artifact-key";
import { store } from "#lib/platform/storage/store";
import { type InputFormat, inputFormatFileName, presentInputFormat } from "./input-format.ts";
import { announceServingChange, requireServingChangeAnnounced } from "./serving-leases.ts";

type ModelToSave = FittedModel & {
  source: "trained" | "imported";
  format: InputFormat;
  upstreamCheckpoints: Record<string, string>;
  warnings: Warning[];
  /** Outputs of an imported model that predict something else. */
  outputOptions?: OutputOption[];
  request: Record<string, unknown>;
  datasetVersionId?: string;
  /** Rows of the training dataset. */
  datasetRows?: number;
  /** Interval between these rows. */
  datasetFrequency?: string | null;
};

/**
 * Publishes the artifacts. Then makes the model current and completes the job, in one transaction.
 *
 * @throws {DomainError} project_not_found if the project was deleted meanwhile; service_unavailable, quota_exceeded
 * @throws the errors of `run.complete`
 */
export async function saveModel(run: JobRun, model: ModelToSave): Promise<void> {
  const { projectId } = run.job;
  const id = newId();
  const artifactKey = attemptKey(`projects/${projectId}/models/job`, run.job);
  const format = new TextEncoder().encode(JSON.stringify(model.format));
  const files = new Map([...model.files, [inputFormatFileName, format]]);
  const { summary } = model;
  await writeArtifacts(run.ctx.db, [artifactKey], async (releaseClaim) => {
    const manifest = await store().writeFolder(artifactKey, files);
    await announceServingChange(run.ctx.db, projectId, run.requireCurrentAttempt);
    await run.ctx.db.transaction(async (tx) => {
      // Throws if the project was deleted meanwhile: otherwise the artifacts would become orphans.
      await lockProject(tx, projectId);
      await requireServingChangeAnnounced(tx, projectId);
      await releaseClaim(tx);
      await tx.insert(models).values({
        id,
        projectId,
        modelName: summary.modelName,
        algorithm: summary.algorithm,
        target: summary.target,
        targetMetric: summary.targetMetric,
        primaryMetricValue: summary.primaryMetricValue,
        trainingMetrics: summary.trainingMetrics,
        inputFeatures: withParts(summary.inputFeatures, model.format),
        featureEngineering: { ...summary.featureEngineering, inputFormat: presentInputFormat(model.format) },
        modelFormat: "onnx",
        artifactBytes: artifactBytes(manifest),
        sha256: artifactDigest(manifest),
        trainedAt: new Date(),
        trainingRows: summary.trainingRows,
        source: model.source,
        details: detailsOf(summary, model),
        upstream: model.upstreamCheckpoints,
        artifactKey,
        jobId: run.job.id,
        createdBy: run.ctx.actor.userId,
      });
      await requireSpace(tx, projectId);
      await tx
        .update(projects)
        .set({ currentModelId: id, updatedAt: sql`clock_timestamp()` })
        .where(eq(projects.id, projectId));
      await recordChange(tx, run.ctx, `model.${model.source}`, {
        projectId,
        entityId: id,
        label: summary.modelName,
        jobId: run.job.id,
      });
      const message = completionMessage(summary, model.warnings);
      const options = model.outputOptions?.length ? model.outputOptions : null;
      await dropParts(tx, run.job);
      await run.complete(tx, { modelId: id, message, outputOptions: options });
    });
  });
}

function detailsOf(
  summary: ModelSummary,
  { warnings, request, datasetVersionId, datasetRows, datasetFrequency }: ModelToSave,
): ModelDetails {
  const { importance, effects, predicts, panel, validation, classification, leaderboard } = summary;
  const { coverage, coverageBySteps } = summary;
  return {
    importance,
    ...(effects && { effects }),
    ...(predicts && { predicts }),
    ...(panel && { panel }),
    validation,
    ...(classification && { classification }),
    leaderboard,
    coverage,
    coverageBySteps,
    warnings,
    request,
    datasetVersionId,
    datasetRows,
    datasetFrequency,
    ...(summary.resolvedRequest && { resolvedRequest: { ...summary.resolvedRequest } }),
  };
}

/** Returns whether the model lost to the naive forecast. Only possible if the request chose the kind of model. */
function losesToNaive({ leaderboard }: ModelSummary): boolean {
  const kept = leaderboard.find(({ chosen }) => chosen)?.backTest;
  const naive = leaderboard.find(({ algorithm }) => algorithm === "baseline")?.backTest;
  if (!kept || !naive || kept.mean === null || naive.mean === null) return false;
  return isHigherBetter(kept.metric) ? kept.mean < naive.mean : kept.mean > naive.mean;
}

/** Presents a time that was joined from several columns as the original columns. */
function withParts(features: InputFeature[], { timestampColumns, reading }: InputFormat): InputFeature[] {
  const parts = timestampColumns?.slice(1) ?? [];
  const isHour = reading?.timestampFormat?.includes("+") !== true;
  return features.flatMap((feature) =>
    feature.role === "timestamp" ? [feature, ...parts.map((name) => partFeature(name, isHour))] : [feature],
  );
}

function partFeature(name: string, isHour: boolean): InputFeature {
  return {
    name,
    type: "number",
    role: "timestamp",
    required: false,
    min: isHour ? 0 : null,
    max: isHour ? 23 : null,
    mean: null,
    median: null,
    missing: 0,
    categories: null,
    sourceProjectId: null,
  };
}

function completionMessage(summary: ModelSummary, warnings: Warning[]) {
  const { modelName, targetMetric, primaryMetricValue, trainingMetrics } = summary;
  const notes = warnings.map(({ message }) => ` ${message}`).join("");
  if (trainingMetrics.validation === null)
    return `${modelName}: accuracy is unknown, because the import has no rows with actuals.${notes}`;
  const value = primaryMetricValue === null ? "not defined" : primaryMetricValue.toPrecision(4);
  const loses = losesToNaive(summary)
    ? ` The ${summary.classification ? "base rate" : "naive forecast"} did better in the back-tests.`
    : "";
  return `${modelName}: ${metricName(targetMetric)} ${value} on the validation rows.${loses}${notes}`;
}
