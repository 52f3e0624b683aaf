import { expect, test } from "vitest";
import type { Comparison, PredictionChart } from "#lib/contract/scenario-series";
import { callRoute, createKey, createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { type PanelRow, storePanelScenario, storeScenario } from "#testing/stored-scenario";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as compareRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();
const { id: projectId } = await createProject();
const as = await createKey({ projectId });
const times = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)];

/** Two stores of one item each, with their customers: 30 in A, 10 in B. On the second day the number of B is missing. */
const rowsOf = (a: number, b: number): PanelRow[] =>
  times.flatMap((time, at) => [
    { store: "A", item: "1", region: "south", time, prediction: a + at },
    { store: "B", item: "1", region: "south", time, prediction: b + at },
  ]);
const customers = {
  name: "customers",
  type: "number" as const,
  values: Float64Array.of(30, 10, 30, Number.NaN),
};
const store = (title: string, a: number, b: number) =>
  storePanelScenario(projectId, rowsOf(a, b), { title, inputs: [customers] });
const baseId = await store("Base", 10, 20);
const otherId = await store("Other", 14, 20);

type Query = Record<string, string | string[]>;
const ask = <T>(route: typeof predictionsRoute | typeof compareRoute, query: Query, accept?: string) =>
  callRoute<T>(route as typeof predictionsRoute, {
    as,
    params: { projectId, scenarioId: baseId },
    query,
    ...(accept && { headers: { accept } }),
  });
const chart = async (query: Query) =>
  (await ask<PredictionChart>(predictionsRoute, { maxPoints: "100", ...query })).data;
const errorOf = async (query: Query) => (await ask(predictionsRoute, query)).error;

test("a chart shows the mean of the series, weighted if asked", async () => {
  expect((await chart({})).values).toEqual([30, 32]);
  expect((await chart({ combine: "sum" })).values).toEqual([30, 32]);
  expect((await chart({ combine: "mean" })).values).toEqual([15, 16]);
  expect((await chart({ combine: "mean", weight: "customers" })).values).toEqual([12.5, 11]);
});

test("groups have the mean of their rows, and one series is its own mean", async () => {
  const { groups } = await chart({ combine: "mean", by: ["region", "store"] });
  expect(groups!.map(({ values, series: [one] }) => [values.store, one!.values, one!.total])).toEqual([
    ["B", [20, 21], 20.5],
    ["A", [10, 11], 10.5],
  ]);
  const [region] = (await chart({ combine: "mean", weight: "customers", by: "region" })).groups!;
  expect(region!.series[0]).toMatchObject({
    values: [12.5, 11],
    total: (30 * 10 + 10 * 20 + 30 * 11) / 70,
    lower: [null, null],
  });
  // The second row of B has no weight, so it is no part of the mean.
  const [only] = (await chart({ combine: "mean", weight: "customers", by: "store", where: "store:B" }))
    .groups!;
  expect(only!.series[0]).toMatchObject({ values: [20, null], lower: [19, null], total: 20 });
});

test("a comparison and its downloads show means and their differences", async () => {
  const query = { ids: `${baseId},${otherId}`, combine: "mean", by: "region" };
  const { data } = await ask<Comparison>(compareRoute, query);
  expect(data.series.map(({ values }) => values)).toEqual([
    [15, 16],
    [17, 18],
  ]);
  expect(data.groups![0]!.series[1]).toMatchObject({
    total: 17.5,
    totalDifference: 2,
    percentDifference: (100 * 2) / 15.5,
    differences: [2, 2],
  });
  const csv = async (route: typeof predictionsRoute | typeof compareRoute, query: Query) =>
    (await ask(route, query, "text/csv")).text.trim().split("\r\n");
  const { by: _, ...ungrouped } = query;
  expect((await csv(compareRoute, ungrouped)).slice(1)).toEqual([
    "2026-01-01T00:00:00.000Z,15,17,2",
    "2026-01-02T00:00:00.000Z,16,18,2",
  ]);
  expect((await csv(predictionsRoute, { combine: "mean", by: "region" })).slice(1)).toEqual([
    "south,2026-01-01T00:00:00.000Z,15",
    "south,2026-01-02T00:00:00.000Z,16",
  ]);
});

test("a weight without a mean, of an unknown column and of one series is rejected", async () => {
  const details = async (query: Query) => (await errorOf({ maxPoints: "10", ...query }))?.details;
  expect(await details({ weight: "customers" })).toMatchObject([{ field: "weight", code: "not_a_mean" }]);
  expect(await details({ combine: "mean", weight: "customer" })).toMatchObject([
    { field: "weight", code: "unknown_column", nearest: "customers" },
  ]);
  expect(await details({ combine: "mean", weight: "store" })).toMatchObject([
    { field: "weight", code: "unknown_column" },
  ]);
  expect(await details({ combine: "median" })).toMatchObject([{ field: "combine" }]);
  const plain = await storeScenario(projectId, {
    timestamps: Float64Array.from(times),
    prediction: Float64Array.from(times, () => 1),
    lower: null,
    upper: null,
  });
  const { error } = await callRoute(predictionsRoute, {
    as,
    params: { projectId, scenarioId: plain },
    query: { maxPoints: "10", combine: "mean" },
  });
  expect(error?.details).toMatchObject([{ field: "combine", code: "one_series" }]);
});
