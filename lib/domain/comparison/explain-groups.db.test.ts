import { expect, test } from "vitest";
import type { Difference } from "#lib/contract/scenario-differences";
import { callRoute } from "#testing/api";
import { createPanelProject, panelDay, panelDays } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";

await createTestDatabase();
const project = await createPanelProject();
const { projectId, as } = project;
const base = await createScenario(project, { endDate: panelDay(panelDays + 6) });
const other = await createScenario(project, {
  baseScenarioId: base.id,
  adjustments: [
    {
      feature: "promo",
      operation: "set",
      value: 1,
      where: [{ feature: "region", operator: "=", value: "south" }],
    },
    { feature: "price", operation: "add", value: 1 },
  ],
});
const explain = (query: Record<string, string | string[]>) =>
  callRoute<Difference>(differenceRoute, {
    as,
    params: { projectId, scenarioId: other.id },
    query: { baselineId: base.id, ...query },
  });
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
type Group = NonNullable<Difference["groups"]>[number];
const partOf = (group: Pick<Group, "parts">, feature: string) =>
  group.parts.find((part) => part.feature === feature)?.total ?? 0;

test.each([[["region"]], [["store"]], [["store", "item"]]])(
  "the groups by %s and their parts add up to the difference",
  async (by) => {
    const { data, text } = await explain({ by });
    expect(data?.groups, text).toBeDefined();
    const groups = data.groups!;
    const size = sum(groups.map(({ totalDifference }) => Math.abs(totalDifference)));
    const near = (found: number, wanted: number) =>
      expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-9 * size);
    for (const field of ["totalDifference", "baselineTotal", "scenarioTotal", "commonRows"] as const)
      near(sum(groups.map((group) => group[field])), data[field]);
    for (const group of groups) near(sum(group.parts.map(({ total }) => total)), group.totalDifference);
    for (const feature of ["promo", "price"])
      near(sum(groups.map((group) => partOf(group, feature))), partOf(data, feature));
    const sizes = groups.map(({ totalDifference }) => Math.abs(totalDifference));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sum(groups.map(({ seriesCount }) => seriesCount))).toBe(6);
  },
);

test("only the south differs by its promotions", async () => {
  const { data } = await explain({ by: "region" });
  const north = data.groups!.find(({ values }) => values.region === "north")!;
  expect(north.parts.map(({ feature }) => feature)).toEqual(["price"]);
  const south = data.groups!.find(({ values }) => values.region === "south")!;
  expect(partOf(south, "promo")).toBeGreaterThan(0);
});

test("groups are paged, of chosen series and times", async () => {
  const query = { by: "item", where: "region:south", from: panelDay(panelDays), limit: "1" };
  const first = await explain(query);
  expect(first.data.groups).toHaveLength(1);
  expect(first.data.groups![0]).toMatchObject({ seriesCount: 2, commonRows: 14 });
  const cursor = /cursor=([^&>]+)/.exec(first.headers.get("link") ?? "")![1]!;
  const next = await explain({ ...query, cursor: decodeURIComponent(cursor) });
  expect(next.data.groups).toHaveLength(1);
  expect(next.data.groups![0]!.values).not.toEqual(first.data.groups![0]!.values);
  expect(next.headers.get("link")).toBeNull();
});

test("an unknown column, and scenarios of one series, are rejected", async () => {
  expect((await explain({ by: "shop" })).error).toMatchObject({
    code: "validation_failed",
    details: [{ field: "by", code: "unknown_column" }],
  });
  const single = await createTrainedProject({
    csv: `date,x,y\n${Array.from({ length: 60 }, (_, i) => `${panelDay(i)},${i % 5},${i % 7}`).join("\n")}\n`,
    target: "y",
    timestamp: "date",
  });
  const one = await createScenario(single, {});
  const two = await createScenario(single, {});
  const { error } = await callRoute(differenceRoute, {
    as: single.as,
    params: { projectId: single.projectId, scenarioId: two.id },
    query: { baselineId: one.id, by: "x" },
  });
  expect(error).toMatchObject({ details: [{ field: "by", code: "one_series" }] });
});
