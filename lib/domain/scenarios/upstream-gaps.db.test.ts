import { expect, it } from "vitest";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as rowsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";

await createTestDatabase();

const dayOf = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const linesOf = (names: string, from: number, to: number, cells: (at: number) => string) =>
  `${["day", names].join()}\n${Array.from({ length: to - from }, (_, i) => `${dayOf(from + i)},${cells(from + i)}`).join("\n")}\n`;

it("takes the previous day's upstream prediction for a day whose inputs are missing", async () => {
  const wind = (at: number) => 10 + 3 * Math.sin(at) + Math.cos(3 * at);
  const power = await createTrainedProject({
    csv: linesOf("wind,power", 0, 120, (at) => `${wind(at)},${2 * wind(at) + Math.sin(0.3 * at)}`),
    target: "power",
    timestamp: "day",
  });
  const cost = await createTrainedProject({
    csv: linesOf("cost", 0, 120, (at) => `${5 + 4 * wind(at) + Math.cos(0.7 * at)}`),
    target: "cost",
    timestamp: "day",
    dependencies: [{ projectId: power.projectId, featureName: "power" }],
  });
  await appendRows(testContext(), {
    projectId: power.projectId,
    fileData: base64(linesOf("wind,power", 120, 124, (at) => (at === 122 ? ",25" : `${wind(at)},25`))),
  });
  const scenario = await createScenario(cost, {
    dependentProjectCheckpoints: { [power.projectId]: null },
    endDate: dayOf(126),
  });
  const { data } = await callRoute<ScenarioRows>(rowsRoute, {
    params: { projectId: cost.projectId, scenarioId: scenario.id },
    as: cost.as,
  });
  expect(scenario.rowCount).toBe(7);
  const place = data.columns.findIndex(({ name }) => name === "power");
  const values = data.rows.map(({ input }) => input[place]);
  expect(values.every(Number.isFinite)).toBe(true);
  expect(values[2]).toBe(values[1]);
  expect(values[3]).not.toBe(values[2]);
});
