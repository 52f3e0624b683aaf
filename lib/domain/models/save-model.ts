import { eq, sql } from "drizzle-orm";
import { type ModelDetails, models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import type { Warning } from "#lib/contract/datasets";
import type { OutputOption } from "#lib/contract/import-model";
import { isHigherBetter, metricName } from "#lib/contract/metric-names";
import type { InputFeature } from "#lib/contract/models";
import { lockProject } from "#lib/domain/projects/lock-project";
import type { FittedModel, ModelSummary } from "#lib/engine/training/model-summary";
import { artifactBytes, artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { newId } from "#lib/platform/ids/new-id";
import { faultPoint } from "#lib/platform/jobs/fault-point";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { publishEvent } from "#lib/platform/realtime/publish-event";
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
  /** Rows of the training dataset. */
  datasetRows?: number;
  /** Interval between these rows. */
  datasetFrequency?: string | null;
};

/**
 * Publishes the artifacts. Then makes the model current and completes the job, in one transaction.
 *
 * @throws {DomainError} project_not_found if the project was deleted meanwhile; service_unavailable
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
    faultPoint(run.job, "artifacts written");
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
        inputFeatures: withHours(summary.inputFeatures, model.format),
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
      await tx
        .update(projects)
        .set({ currentModelId: id, updatedAt: sql`clock_timestamp()` })
        .where(eq(projects.id, projectId));
      await recordAudit(tx, run.ctx, `model.${model.source}`, {
        projectId,
        entityId: id,
        label: summary.modelName,
      });
      await publishEvent(tx, {
        projectId,
        name: "model-trained",
        entityId: id,
        jobId: run.job.id,
        status: "Completed",
        label: summary.modelName,
      });
      faultPoint(run.job, "model stored");
      const message = completionMessage(summary, model.warnings);
      const options = model.outputOptions?.length ? model.outputOptions : null;
      await run.complete(tx, { modelId: id, message, outputOptions: options });
    });
  });
}

function detailsOf(
  summary: ModelSummary,
  { warnings, request, datasetRows, datasetFrequency }: ModelToSave,
): ModelDetails {
  const { importance, validation, classification, leaderboard, coverage, coverageBySteps } = summary;
  return {
    importance,
    validation,
    ...(classification && { classification }),
    leaderboard,
    coverage,
    coverageBySteps,
    warnings,
    request,
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

/** Presents a time that was joined from date and hour as the two original columns. */
function withHours(features: InputFeature[], { timestampColumns }: InputFormat): InputFeature[] {
  const hours = timestampColumns?.[1];
  if (hours === undefined) return features;
  return features.flatMap((feature) =>
    feature.role === "timestamp" ? [feature, hoursFeature(hours)] : [feature],
  );
}

function hoursFeature(name: string): InputFeature {
  return {
    name,
    type: "number",
    role: "timestamp",
    required: false,
    min: 0,
    max: 23,
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
