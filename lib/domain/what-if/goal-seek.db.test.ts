import { expect, test } from "vitest";
import type { GoalSeekResult } from "#lib/contract/goal-seek";
import { listPredictions } from "#lib/domain/stored-predictions/list-predictions";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { POST as goalSeekRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/goal-seek/route.ts";

await createTestDatabase();

const project = await createTrainedProject({
  csv: dailyDemand(200),
  target: "demand",
  timestamp: "date",
});
const day = (offset: number) => new Date(Date.UTC(2023, 6, 20 + offset)).toISOString().slice(0, 10);
const lines = Array.from({ length: 30 }, (_, i) => `${day(i)},${5 + (i % 4)}`);
const base = await createScenario(project, { fileData: base64(`date,price\n${lines.join("\n")}\n`) });
const sum = base.summary!.sum!;

const call = (body: object) =>
  callRoute<GoalSeekResult>(goalSeekRoute, {
    params: { projectId: project.projectId, scenarioId: base.id },
    as: project.as,
    body,
  });
const price = { feature: "price", operation: "multiply", min: 0.5, max: 1.5, step: 0.01 };

async function sought(body: object): Promise<GoalSeekResult> {
  const { data, status, text } = await call(body);
  expect(status, text).toBe(200);
  return data;
}

/** Creates a scenario with the setting of a result. */
const madeFrom = ({ adjustments }: GoalSeekResult) =>
  createScenario(project, { baseScenarioId: base.id, checkpointId: base.checkpointId, adjustments });

test("finds the proven best setting, which a scenario with its adjustments has", async () => {
  const goal = { statistic: "sum", relation: "equal", value: sum - 200 };
  const found = await sought({ levers: [price], goal });
  expect(found).toMatchObject({ status: "reached", isProven: true, gap: 0, evaluatedSettings: 101 });
  expect(Math.abs(found.goal! - goal.value)).toBeLessThan(0.01 * sum);
  expect((await madeFrom(found)).summary!.sum).toBeCloseTo(found.goal!, 5);
});

test("changes nothing if the goal already holds, and limits every row of a span by a bound", async () => {
  const { data } = await call({
    levers: [price],
    goal: { statistic: "sum", relation: "atLeast", value: sum - 1 },
  });
  expect(data.adjustments[0]!.value).toBe(1);
  const body = {
    levers: [{ ...price, max: 4, step: 0.05 }],
    goal: { statistic: "mean", relation: "atLeast", value: 1e6 },
    constraints: [{ statistic: "max", of: "upper", relation: "atMost", value: base.summary!.max! }],
    from: day(3),
    to: day(9),
  };
  const found = await sought(body);
  expect(found).toMatchObject({ status: "closest", isProven: true, rowCount: 7 });
  expect(found.constraints[0]).toBeLessThanOrEqual(base.summary!.max!);
  expect(found.adjustments[0]).toMatchObject({ from: day(3), to: day(9) });
  expect(found.outside).toEqual([{ feature: "price", rows: expect.any(Number) }]);
});

test("reports constraints that no setting meets as infeasible", async () => {
  const found = await sought({
    levers: [price],
    goal: { statistic: "sum", relation: "equal", value: sum },
    constraints: [{ statistic: "min", relation: "atLeast", value: 10 * sum }],
  });
  expect(found).toMatchObject({ status: "infeasible", isProven: true, gap: null });
});

test("calls the result of a search through many settings the best found", async () => {
  const levers = [1, 2, 3, 4].map((at) => ({ ...price, operation: "add", min: -at, max: at, step: 0.001 }));
  const goal = { statistic: "sum", relation: "equal", value: sum + 100 };
  const found = await sought({ levers, goal });
  expect(found).toMatchObject({ status: "reached", isProven: false });
  expect(found.evaluatedSettings).toBeLessThan(found.settings);
  expect(found.gap! * goal.value).toBeCloseTo(Math.abs(found.goal! - goal.value), 6);
});

test("rejects levers that the input does not have, and levers without values", async () => {
  const goal = { statistic: "sum", relation: "equal", value: sum };
  for (const [lever, field] of [
    [{ ...price, feature: "prize" }, "levers.0"],
    [{ ...price, feature: "date" }, "levers.0"],
    [{ ...price, max: 0 }, "levers.0.max"],
    [{ ...price, step: 1e-9 }, "levers.0.step"],
    [{ ...price, step: 0 }, "levers.0.step"],
  ] as const) {
    const { status, error } = await call({ levers: [lever], goal });
    expect([lever, status, error?.details?.[0]?.field]).toEqual([lever, 400, field]);
  }
});

test("measures bounds as a scenario that sets a generated input to a known value", async () => {
  const generated = await createScenario(project, { checkpointId: base.checkpointId });
  const lever = { feature: "price", operation: "set", min: 4, max: 8, step: 1 };
  const goal = { statistic: "mean", of: "lower", relation: "atLeast", value: 0 };
  const { data } = await callRoute<GoalSeekResult>(goalSeekRoute, {
    params: { projectId: project.projectId, scenarioId: generated.id },
    as: project.as,
    body: { levers: [lever], goal },
  });
  const { id } = await createScenario(project, {
    baseScenarioId: generated.id,
    checkpointId: base.checkpointId,
    adjustments: data.adjustments,
  });
  const { rows } = await listPredictions(testContext(), { projectId: project.projectId, scenarioId: id });
  expect(data.goal).toBeCloseTo(
    rows.reduce((sum, { lower }) => sum + lower! / rows.length, 0),
    6,
  );
});
