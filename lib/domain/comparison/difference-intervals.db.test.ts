import { expect, test } from "vitest";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison } from "#lib/contract/scenario-series";
import { callRoute } from "#testing/api";
import { gaussian } from "#testing/gaussian";
import { createTestDatabase } from "#testing/postgres";
import { createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();

const HORIZON = 14;
const noise = gaussian(4);
const lines = Array.from({ length: 300 }, (_, at) => {
  const [price, rain] = [50 + noise(), noise()];
  const date = new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10);
  return `${date},${price.toFixed(4)},${rain.toFixed(4)},${(100 + 5 * price + 3 * noise()).toFixed(4)}`;
});
const project = await createTrainedProject({
  csv: `date,price,rain,demand\n${lines.join("\n")}\n`,
  target: "demand",
  timestamp: "date",
  request: { algorithm: "ridge", horizon: HORIZON, features: { lags: [] } },
});
const base = await createScenario(project, {});
const whatIf = (feature: string, value: number) =>
  createScenario(project, {
    baseScenarioId: base.id,
    adjustments: [{ feature, operation: "add", value }],
  });

async function seriesOf(ids: string[], query: Record<string, string> = {}) {
  const { data } = await callRoute<Comparison>(compareRoute, {
    params: { projectId: project.projectId },
    query: { ids: ids.join(), ...query },
    as: project.as,
  });
  return data.series;
}

test("two scenarios of one checkpoint without adjustments differ by 0 ± 0", async () => {
  const same = await createScenario(project, { baseScenarioId: base.id, adjustments: [] });
  const [, series] = await seriesOf([base.id, same.id]);
  expect(series).toMatchObject({
    totalDifference: 0,
    differsAtLevel: null,
    totalDifferenceInterval: { level: 0.9, lower: 0, upper: 0 },
  });
});

test("a real effect is very likely, with an interval around it; an input without effect is within noise", async () => {
  const [raised, rainy] = await Promise.all([whatIf("price", 1), whatIf("rain", 0.5)]);
  const [, dear, wet] = await seriesOf([base.id, raised.id, rainy.id]);
  expect(dear!.differsAtLevel).toBe(0.95);
  const { lower, upper } = dear!.totalDifferenceInterval!;
  expect(lower!).toBeLessThan(5 * HORIZON);
  expect(upper!).toBeGreaterThan(5 * HORIZON);
  expect(upper! - lower!).toBeLessThan(20);
  const { data: why } = await callRoute<Difference>(differenceRoute, {
    params: { projectId: project.projectId, scenarioId: raised.id },
    query: { baselineId: base.id },
    as: project.as,
  });
  expect(why.differsAtLevel).toBe(0.95);
  expect(why.totalDifferenceInterval!.lower).toBeCloseTo(lower!, 6);
  expect(wet!.totalDifferenceInterval!.lower!).toBeLessThan(0);
  expect(wet!.totalDifferenceInterval!.upper!).toBeGreaterThan(0);
});

test("an effect over half of the steps is half as wide", async () => {
  const raised = await whatIf("price", 1);
  const width = (series: Comparison["series"]) => {
    const { lower, upper } = series[1]!.totalDifferenceInterval!;
    return upper! - lower!;
  };
  const whole = await seriesOf([base.id, raised.id]);
  const half = await seriesOf([base.id, raised.id], { to: "2023-11-03" });
  expect(width(half)).toBeCloseTo(width(whole) / 2, 6);
});
