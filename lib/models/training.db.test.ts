import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Job } from "#lib/contract/jobs";
import type { Model } from "#lib/contract/models";
import { putDataset } from "#lib/datasets/put-dataset";
import { findJob } from "#lib/jobs/find-job";
import { runJob } from "#lib/worker/run-job";
import { RunsInProgress } from "#lib/worker/runs-in-progress";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { GET as currentRoute } from "../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { GET as listRoute } from "../../app/api/v1/projects/[projectId]/models/route.ts";
import { POST as trainRoute } from "../../app/api/v1/projects/[projectId]/models/train/route.ts";

const { db } = await createTestDatabase();
const ctx = testContext();

async function train(projectId: string, body: unknown = {}) {
  const as = await createKey({ projectId });
  const answer = await callRoute<{ jobId: string; status: string }>(trainRoute, {
    params: { projectId },
    as,
    body,
  });
  if (answer.status !== 202) return { as, answer, job: null };
  await runJob(db, answer.data.jobId, new AbortController().signal, new RunsInProgress());
  return { as, answer, job: await findJob(ctx, answer.data.jobId) };
}

const bikeFile = path.join(process.env.SAMPLE_DATA_DIR ?? "/nowhere", "bike_hour.csv");

describe.skipIf(!existsSync(bikeFile))("with SAMPLE_DATA_DIR", () => {
  it("learns a good model of hourly bike rentals from the defaults", async () => {
    const { id: projectId } = await createProject();
    const dataset = await putDataset(ctx, {
      projectId,
      fileData: readFileSync(bikeFile).toString("base64"),
      target: "cnt",
      timestamp: ["dteday", "hr"],
      exclude: ["instant", "casual", "registered"],
    });
    console.log(dataset);
    const started = performance.now();
    const { as, job } = await train(projectId);
    console.log(performance.now() - started, job);
    const current = await callRoute<Model>(currentRoute, { params: { projectId }, as });
    console.log(JSON.stringify({ ...current.data, validation: 0, featureEngineering: 0 }, null, 1));
  });
});
