import { beforeAll, describe, expect, it } from "vitest";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Contributions } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as contributionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

await createTestDatabase();

const day = (offset: number) => new Date(Date.UTC(2023, 6, 20 + offset)).toISOString().slice(0, 10);
const linesOf = (from: number, to: number) => {
  const [header, ...rows] = dailyDemand(240).trim().split("\n");
  return `${[header, ...rows.slice(from, to)].join("\n")}\n`;
};
const sum = (values: readonly (number | null)[]) => values.reduce<number>((a, b) => a + (b ?? 0), 0);

let project: TrainedProject;
let base: Scenario;
let newer: Scenario;

const predicted = async ({ id }: Scenario) => {
  const params = { projectId: project.projectId, scenarioId: id };
  const rows = await callRoute<{ prediction: number }[]>(predictionsRoute, {
    params,
    as: project.as,
    query: { limit: "100" },
  });
  return rows.data.map(({ prediction }) => prediction);
};
const explained = async ({ id }: Scenario, rows: readonly number[]) => {
  const params = { projectId: project.projectId, scenarioId: id };
  const query = { rows: rows.join() };
  return (await callRoute<Contributions>(contributionsRoute, { params, as: project.as, query })).data;
};
const difference = async (from: Scenario, to: Scenario) => {
  const params = { projectId: project.projectId, scenarioId: to.id };
  const query = { baselineId: from.id };
  const { data } = await callRoute<Difference>(differenceRoute, { params, as: project.as, query });
  expect(sum(data.parts.map(({ total }) => total))).toBeCloseTo(data.totalDifference, 9);
  data.differences.forEach((one, point) => {
    expect(sum(data.parts.map(({ values }) => values[point]!))).toBeCloseTo(one!, 9);
  });
  return data;
};

describe("a model of series methods with inputs, after rows were appended", () => {
  beforeAll(async () => {
    project = await createTrainedProject({
      csv: linesOf(0, 200),
      target: "demand",
      timestamp: "date",
      request: { algorithm: "combination", horizon: 14 },
    });
    base = await createScenario(project, { endDate: day(13) });
    const fileData = Buffer.from(linesOf(200, 205)).toString("base64");
    await appendRows(testContext(), { projectId: project.projectId, fileData });
    newer = await createScenario(project, { checkpointId: base.checkpointId, endDate: day(13) });
  });

  it("explains each scenario by the rows that were known when it was made", async () => {
    for (const [scenario, rows] of [
      [base, [1, 6, 14]],
      [newer, [9, 2]],
    ] as const) {
      const { predictions, values, baseValue } = await explained(scenario, rows);
      const stored = await predicted(scenario);
      expect(predictions).toEqual(rows.map((row) => stored[row - 1]));
      values.forEach((parts, at) => {
        expect(baseValue + sum(parts)).toBeCloseTo(predictions[at]!, 9);
      });
    }
  });

  it("separates the effect of the known rows from that of a changed input", async () => {
    const adjustments = [{ feature: "price", operation: "add", value: 2 }];
    const dearer = await createScenario(project, {
      baseScenarioId: base.id,
      checkpointId: base.checkpointId,
      adjustments,
    });
    const early = await difference(base, dearer);
    expect(early.parts.map(({ kind, feature }) => [kind, feature])).toEqual([["input", "price"]]);
    const step = early.parts[0]!.values[0]!;

    // The same inputs with the appended rows, and with the adjustment.
    const news = await difference(base, newer);
    // The season's part is the change of its contributions at the shared days.
    const history = news.parts.filter(({ kind }) => kind === "history");
    expect(new Set(history.map(({ component }) => component))).toEqual(new Set(["level", "season"]));
    const seasonOf = async (scenario: Scenario, rows: number[]) => {
      const { parts } = await explained(scenario, rows);
      return parts!.values.map((row) => row[parts!.kinds.indexOf("season")]!);
    };
    const before = await seasonOf(base, [6, 7, 8]);
    const after = await seasonOf(newer, [1, 2, 3]);
    const season = history.find(({ component }) => component === "season")!;
    after.forEach((value, i) => {
      expect(season.values[i]!).toBeCloseTo(value - before[i]!, 9);
    });
    const newerDearer = await createScenario(project, {
      baseScenarioId: newer.id,
      checkpointId: base.checkpointId,
      adjustments,
    });
    const both = await difference(base, newerDearer);
    const partOf = (kind: string) => both.parts.filter((part) => part.kind === kind);
    expect(Math.abs(sum(partOf("history").map(({ total }) => total)))).toBeGreaterThan(0);
    expect(partOf("unexplained")).toEqual([]);
    // The regression is linear: the adjustment has the same effect on each of the shared rows, unless the generated price differs.
    const prices = sum(partOf("input").map(({ total }) => total));
    const generated = sum(news.parts.filter(({ kind }) => kind === "input").map(({ total }) => total));
    expect(prices - generated).toBeCloseTo(step * both.commonRows, 4);
  });
});
