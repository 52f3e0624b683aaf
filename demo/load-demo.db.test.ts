import { describe, expect, it } from "vitest";
import { listCheckpoints } from "#lib/domain/checkpoints/list-checkpoints";
import { compareScenarios } from "#lib/domain/comparison/compare-scenarios";
import { getCurrentModel } from "#lib/domain/models/list-models";
import { getProject } from "#lib/domain/projects/get-project";
import { listScenarios } from "#lib/domain/scenarios/list-scenarios";
import { testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { loadDemo } from "./load-demo.ts";

const { db } = await createTestDatabase();
const ctx = testContext();

describe("the demo", () => {
  it("has trained projects, one upstream of another, and scenarios that differ; a second load changes nothing", async () => {
    let done = 0;
    // Interrupted after the second job, as by a power failure. The second call continues from there.
    const interrupted = loadDemo(db, async (jobId) => {
      if (done === 2) throw new Error("cut off");
      done++;
      return runJobHere(jobId);
    });
    await expect(interrupted).rejects.toThrow("cut off");
    const demo = await loadDemo(db, awaitHere);
    expect(await loadDemo(db, awaitHere)).toEqual(demo);

    const campus = await getProject(ctx, { projectId: demo.campusId });
    expect(campus.name).toContain("simulated");
    expect(campus.dependencies).toEqual([{ projectId: demo.weatherId, featureName: "forecast_temperature" }]);
    for (const projectId of [demo.weatherId, demo.campusId, demo.tripsId]) {
      expect((await listCheckpoints(ctx, { projectId })).items).toHaveLength(1);
      const { trainingMetrics } = await getCurrentModel(ctx, { projectId });
      expect(trainingMetrics.validation!.rmse!).toBeLessThan(trainingMetrics.baseline!.rmse!);
    }
    const { items: scenarios } = await listScenarios(ctx, { projectId: demo.campusId });
    expect(scenarios).toHaveLength(3);
    expect(new Set(scenarios.map(({ color }) => color)).size).toBe(3);
    const { comparison } = await compareScenarios(ctx, {
      projectId: demo.campusId,
      ids: demo.scenarioIds,
      baselineId: demo.scenarioIds[0]!,
    });
    const [expected, uploaded, warmer] = comparison.scenarios.map(({ rowCount, summary }) => {
      expect(rowCount).toBe(14);
      return summary.mean!;
    });
    expect(warmer).toBeLessThan(expected! - 5);
    expect(uploaded).toBeLessThan(expected! - 2);
    expect(comparison.differs.inputs.map(({ feature }) => feature)).toContain("forecast_temperature");

    const { items: trips } = await listScenarios(ctx, { projectId: demo.tripsId });
    const ids = trips.map(({ id }) => id).reverse();
    const compared = await compareScenarios(ctx, { projectId: demo.tripsId, ids, baselineId: ids[0]! });
    const [expectedTrips, festival] = compared.comparison.scenarios.map(({ summary }) => summary.sum!);
    expect(festival).toBeGreaterThan(expectedTrips! + 100); // thousands of trips
  }, 120_000); // Trains all projects of the demo and computes their scenarios.
});

async function awaitHere(jobId: string): Promise<void> {
  const job = await runJobHere(jobId);
  expect([job.status, job.errorMessage]).toEqual(["Completed", null]);
}
