import { eq } from "drizzle-orm";
import { models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import { fitModel } from "#lib/engine/training/fit-model";
import type { FittedModel } from "#lib/engine/training/model-summary";
import { artifactBytes, artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { store } from "#lib/platform/storage/store";

export type ModelRow = typeof models.$inferSelect;

let fitted: Promise<FittedModel> | undefined;

/**
 * Creates the current model of a project and its artifacts in the store. The model is fitted once per test file, on
 * rows of `demand = 3 temp + 2 wind + 1`.
 */
export async function createModel({
  projectId,
  ...overrides
}: Partial<typeof models.$inferInsert> & { projectId: string }): Promise<ModelRow> {
  fitted ??= fitDemand();
  const { files, summary } = await fitted;
  const id = newId();
  const artifactKey = `projects/${projectId}/models/${id}`;
  const { modelName, algorithm, target, targetMetric, primaryMetricValue, trainingMetrics } = summary;
  const { inputFeatures, featureEngineering, trainingRows } = summary;
  const { importance, validation, leaderboard, coverage } = summary;
  const db = database();
  return writeArtifacts(db, [artifactKey], async (claim) => {
    const manifest = await store().writeFolder(artifactKey, files);
    return db.transaction(async (tx) => {
      await claim(tx);
      const [row] = await tx
        .insert(models)
        .values({
          modelName,
          algorithm,
          target,
          targetMetric,
          primaryMetricValue,
          trainingMetrics,
          id,
          projectId,
          inputFeatures,
          featureEngineering,
          trainingRows,
          artifactKey,
          modelFormat: "onnx",
          artifactBytes: artifactBytes(manifest),
          sha256: artifactDigest(manifest),
          trainedAt: new Date(),
          source: "trained",
          details: { importance, validation, leaderboard, coverage, warnings: [], request: {} },
          createdBy: "user-of-tests",
          ...overrides,
        })
        .returning();
      await tx.update(projects).set({ currentModelId: id }).where(eq(projects.id, projectId));
      return row!;
    });
  });
}

function fitDemand(): Promise<FittedModel> {
  const temp = Float64Array.from({ length: 80 }, (_, row) => 10 * Math.sin(row) + row / 10);
  const wind = Float64Array.from({ length: 80 }, (_, row) => 5 * Math.cos(1.7 * row));
  const demand = temp.map((value, row) => 3 * value + 2 * wind[row]! + 1);
  const columns = Object.entries({ temp, wind, demand }).map(([name, values]) => ({
    name,
    type: "number" as const,
    values,
  }));
  const table = { rowCount: 80, columns };
  return fitModel({ table, target: "demand", timestamp: null, request: { algorithm: "ridge" } });
}
