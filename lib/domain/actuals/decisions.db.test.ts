import { expect, it } from "vitest";
import type { DecisionOutcome, SavedComparison } from "#lib/contract/saved-comparisons";
import { createComparison } from "#lib/domain/saved-comparisons/create-comparison";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { createScenario, type TrainedProject } from "#testing/scenario-factory";
import { addDays, createDailyProject, demandDays, runAgain } from "#testing/scenario-runs";
import { storeScenario } from "#testing/stored-scenario";
import { PATCH as patchRoute } from "../../../app/api/v1/projects/[projectId]/comparisons/[comparisonId]/route.ts";
import { GET as decisionsRoute } from "../../../app/api/v1/projects/[projectId]/decisions/route.ts";

await createTestDatabase();

const decisionsOf = async ({ projectId, as }: TrainedProject) =>
  (await callRoute<DecisionOutcome[]>(decisionsRoute, { params: { projectId }, as })).data;
const decide = ({ projectId, as }: TrainedProject, comparisonId: string, decision: object | null) =>
  callRoute<SavedComparison>(patchRoute, { params: { projectId, comparisonId }, as, body: { decision } });

it("keeps what was expected at the decision, and states what came", async () => {
  const project = await createDailyProject();
  const { projectId } = project;
  const plan = await createScenario(project, { title: "Plan", endDate: "2023-07-24" });
  const { checkpointId } = plan;
  const long = await createScenario(project, { title: "Long", endDate: "2023-08-30", checkpointId });
  const scenarioIds = [plan.id, long.id];
  const { id } = await createComparison(testContext(), { projectId, name: "July", scenarioIds });
  expect(await decisionsOf(project)).toEqual([]);

  const decided = await decide(project, id, { scenarioId: plan.id.toUpperCase(), reason: " Safe " });
  const { sum, sumInterval } = plan.summary!;
  const decision = {
    scenarioId: plan.id,
    scenarioTitle: "Plan",
    runId: plan.id,
    reason: "Safe",
    from: "2023-07-20T00:00:00.000Z",
    to: "2023-07-24T00:00:00.000Z",
    rows: 5,
    total: sum,
    lower: sumInterval!.lower,
    upper: sumInterval!.upper,
    decidedAt: expect.any(String),
    decidedBy: project.as.createdBy,
  };
  expect(decided.data).toMatchObject({ id, scenarioIds, decision });
  const outcome = { comparisonId: id, comparisonName: "July", ...decision };
  expect(await decisionsOf(project)).toEqual([{ ...outcome, actual: null, actualRows: 0 }]);

  const span = { from: "2023-07-20", to: "2023-07-24", reason: "Fair" };
  await createOverride(testContext(), {
    projectId,
    scenarioId: plan.id,
    operation: "add",
    value: 9,
    ...span,
  });
  await addDays(project, 200, 203);
  await runAgain(project, plan.id);
  await addDays(project, 203, 210);
  await deleteScenario(testContext(), { projectId, scenarioId: plan.id });
  const came = demandDays(200, 205)
    .trim()
    .split("\n")
    .slice(1)
    .reduce((total, line) => total + Number(line.split(",")[2]), 0);
  expect(await decisionsOf(project)).toEqual([
    { ...outcome, actual: expect.closeTo(came, 6), actualRows: 5 },
  ]);

  const again = await decide(project, id, { scenarioId: long.id, reason: "Longer" });
  expect(again.data.decision).toMatchObject({ scenarioTitle: "Long", reason: "Longer", rows: 42 });
  expect((await decide(project, id, null)).data.decision).toBeNull();
  expect(await decisionsOf(project)).toEqual([]);
});

it("rejects scenarios of other comparisons, and lists scenarios without times", async () => {
  const project = await createDailyProject();
  const { projectId } = project;
  const series = { prediction: Float64Array.of(1, 2), timestamps: null, lower: null, upper: null };
  const ids = await Promise.all(["A", "B", "C"].map((title) => storeScenario(projectId, series, title)));
  const saved = { name: "Both", scenarioIds: ids.slice(0, 2) };
  const { id } = await createComparison(testContext(), { projectId, ...saved });
  for (const decision of [
    { scenarioId: ids[2], reason: "Other" },
    { scenarioId: ids[0], reason: " " },
    { scenarioId: ids[0] },
  ]) {
    const { status, error } = await decide(project, id, decision);
    expect([status, error?.code]).toEqual([400, "validation_failed"]);
  }
  await decide(project, id, { scenarioId: ids[1], reason: "Only two rows" });
  expect(await decisionsOf(project)).toMatchObject([
    { scenarioTitle: "B", from: null, total: 3, lower: null, rows: 2, actual: null, actualRows: 0 },
  ]);
});
