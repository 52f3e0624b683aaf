import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { scenarioRuns } from "#db/schema/scenarios";
import type { Scenario } from "#lib/contract/scenarios";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, getScenario } from "#testing/scenario-factory";
import {
  addDays,
  createDailyProject,
  demandDays,
  listRuns,
  ofScenario,
  predictionsOf,
  runAgain,
} from "#testing/scenario-runs";
import { GET as scenarioRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";

const { db } = await createTestDatabase();

it("states the summaries that people read, of the newest run and of earlier ones", async () => {
  const project = await createDailyProject();
  const { id } = await createScenario(project, { title: "Plan" });
  await addDays(project, 200, 203);
  const { runId } = await runAgain(project, id);
  const calculated = await listRuns(project, id);
  expect(calculated.map((run) => "calculatedSummary" in run)).toEqual([false, false]);
  const override = { from: "2023-07-20", to: "2023-07-25", operation: "add", value: 40 } as const;
  const { projectId } = project;
  await createOverride(testContext(), { projectId, scenarioId: id, ...override, reason: "Fair in town" });
  const runs = await listRuns(project, id);
  expect(runs.map((run) => run.id)).toEqual([runId, id]);
  for (const [at, run] of runs.entries()) {
    const { data } = await callRoute<Scenario>(scenarioRoute, ofScenario(project, id, { run: run.id }));
    expect(run.summary).toEqual(data.summary);
    expect(run.calculatedSummary).toEqual(calculated[at]!.summary);
    const predictions = await predictionsOf(project, id, { run: run.id });
    expect(run.summary!.sum).toBeCloseTo(
      predictions.reduce<number>((sum, value) => sum + value!, 0),
      6,
    );
  }
  // The newest run begins on 23 July, so three of its rows are raised, and six of the first run.
  expect(runs.map((run, at) => Math.round(run.summary!.sum! - calculated[at]!.summary!.sum!))).toEqual([
    120, 240,
  ]);
});

it("finds what a run of an earlier version knew in the notes of its input, except for an upload", async () => {
  const project = await createDailyProject();
  const plan = await createScenario(project, { title: "Plan" });
  const { checkpointId } = plan;
  const upload = await createScenario(project, { checkpointId, fileData: base64(demandDays(200, 210)) });
  await db.transaction(async (tx) => {
    // As after the migration, which the triggers do not permit later.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx
      .update(scenarioRuns)
      .set({ knownUntil: null })
      .where(eq(scenarioRuns.projectId, project.projectId));
  });
  expect((await getScenario(project, plan.id)).knownUntil).toBe("2023-07-19T00:00:00.000Z");
  expect((await listRuns(project, plan.id))[0]!.knownUntil).toBe("2023-07-19T00:00:00.000Z");
  expect((await getScenario(project, upload.id)).knownUntil).toBeNull();
});
