import { expect, it } from "vitest";
import type { Stability } from "#lib/contract/stability";
import { createOverride } from "#lib/domain/scenarios/overrides/create-override";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { createScenario, type TrainedProject } from "#testing/scenario-factory";
import { addDays, createDailyProject, ofScenario, predictionsOf, runAgain } from "#testing/scenario-runs";
import { GET as stabilityRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/stability/route.ts";

await createTestDatabase();

const stabilityOf = async (project: TrainedProject, id: string) =>
  (await callRoute<Stability>(stabilityRoute, ofScenario(project, id))).data;

/** Returns the mean absolute change and its share, over lists of equal length. */
function moved(former: (number | null)[], newer: (number | null)[]) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;
  const change = mean(newer.map((value, at) => value! - former[at]!));
  return { change, share: change / mean(former.map((value) => value!)) };
}

it("measures the change of each run at the times that it did not know, and of all runs", async () => {
  const project = await createDailyProject();
  const { id } = await createScenario(project, { title: "Plan" });
  expect(await stabilityOf(project, id)).toEqual({
    scenarioId: id,
    relativeChange: null,
    rows: 0,
    runs: [],
  });
  await addDays(project, 200, 207);
  const second = (await runAgain(project, id)).runId;
  await addDays(project, 207, 210);
  const third = (await runAgain(project, id)).runId;
  const [a, b, c] = [
    await predictionsOf(project, id, { run: id }),
    await predictionsOf(project, id, { run: second }),
    await predictionsOf(project, id),
  ];
  const pairs = [moved(b.slice(3), c.slice(0, 11)), moved(a.slice(7), b.slice(0, 7))];
  const found = await stabilityOf(project, id);
  expect(found.rows).toBe(18);
  expect(found.runs.map(({ runId, formerRunId, rows }) => [runId, formerRunId, rows])).toEqual([
    [third, second, 11],
    [second, id, 7],
  ]);
  for (const [at, { change, share }] of pairs.entries()) {
    expect(found.runs[at]!.meanAbsoluteChange).toBeCloseTo(change, 9);
    expect(found.runs[at]!.relativeChange).toBeCloseTo(share, 9);
  }
  const all = moved([...b.slice(3), ...a.slice(7)], [...c.slice(0, 11), ...b.slice(0, 7)]);
  expect(found.relativeChange).toBeCloseTo(all.share, 9);

  // People see effective values: a value that is set does not move.
  const set = {
    from: "2023-07-20",
    to: "2023-12-31",
    operation: "set",
    value: 100,
    reason: "Sold out",
  } as const;
  await createOverride(testContext(), { projectId: project.projectId, scenarioId: id, ...set });
  expect(await stabilityOf(project, id)).toMatchObject({ relativeChange: 0, rows: 18 });
});

it("knows no change of runs without common times", async () => {
  const project = await createDailyProject();
  const { id } = await createScenario(project, { title: "Plan", endDate: "2023-07-22" });
  await addDays(project, 200, 210);
  await runAgain(project, id);
  expect(await stabilityOf(project, id)).toMatchObject({
    relativeChange: null,
    rows: 0,
    runs: [{ rows: 0, meanAbsoluteChange: null, relativeChange: null }],
  });
});
