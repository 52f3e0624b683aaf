import { describe, expect, it } from "vitest";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { listScenarios } from "#lib/domain/scenarios/list-scenarios";
import { callRoute, testContext } from "#testing/api";
import { createOverriddenProject, sum } from "#testing/overridden-project";
import { runJobHere } from "#testing/run-jobs";
import { base64, getScenario } from "#testing/scenario-factory";
import { type PanelRow, storePanelScenario } from "#testing/stored-scenario";
import { GET as actualsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/actuals/route.ts";
import { GET as differenceRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { DELETE as endRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/overrides/[overrideId]/route.ts";
import { GET as contributionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { POST as previewRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/preview/route.ts";
import { GET as scenarioRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { GET as rowsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";
import { POST as runRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/runs/route.ts";
import { GET as compareRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

const { days, project, projectId, newScenario, call, send, add, ofOverride, rowsOf, chartOf } =
  await createOverriddenProject();

describe("effective values", () => {
  it("are shown by rows, with the calculated value and the last override, only while overrides exist", async () => {
    const { id } = await newScenario();
    const before = await rowsOf(id);
    expect(Object.keys(before[0]!)).not.toContain("calculated");
    const set = await add(id);
    const moved = await add(id, { from: "2023-07-27", to: "2023-07-28", operation: "add", value: 10 });
    const rows = await rowsOf(id);
    rows.forEach((row, at) => {
      const { prediction, lower, upper } = before[at]!;
      const expected =
        at === 5 || at === 6
          ? { prediction: 500, lower: null, upper: null, overrideId: set.id }
          : at === 7
            ? { prediction: 510, lower: null, upper: null, overrideId: moved.id }
            : at === 8
              ? { prediction: prediction! + 10, lower: lower! + 10, upper: upper! + 10, overrideId: moved.id }
              : { prediction, lower, upper, overrideId: null };
      expect(row).toMatchObject({ ...expected, calculated: prediction });
    });
    const shown = await callRoute<{ rows: PredictionRow[] }>(
      rowsRoute,
      call(id, { limit: "10", levels: "0.5" }),
    );
    expect(shown.data.rows[5]).toMatchObject({
      prediction: 500,
      calculated: before[5]!.prediction,
      overrideId: set.id,
    });
    const csv = (await callRoute(predictionsRoute, call(id, {}, "text/csv"))).text.trim().split("\r\n");
    expect(csv[0]!.split(",").slice(-5)).toEqual([
      "prediction",
      "lower",
      "upper",
      "calculated",
      "overrideId",
    ]);
    expect(csv[6]!.split(",").slice(-5)).toEqual(["500", "", "", String(before[5]!.prediction), set.id]);
    expect(csv[1]!.split(",").at(-1)).toBe("");
    for (const one of [set, moved]) await callRoute(endRoute, ofOverride(id, one.id));
    expect(await rowsOf(id)).toEqual(before);
  });

  it("are shown by charts of rows and buckets, and by the stored summary, which equals that of the rows", async () => {
    const { id } = await newScenario();
    const [before, weeks] = [await chartOf(id), await chartOf(id, { bucket: "week", aggregate: "sum" })];
    const stored = await getScenario(project, id);
    await add(id, { from: "2023-07-24", to: "2023-07-30", value: 400 });
    const chart = await chartOf(id, { levels: "0.5,0.95" });
    expect(chart.calculated).toEqual(before.values);
    expect(chart.values.slice(4, 11)).toEqual(Array(7).fill(400));
    expect(chart.lower.slice(4, 11)).toEqual(Array(7).fill(null));
    expect(chart.lower[3]).toBe(before.lower[3]);
    const sums = await chartOf(id, { bucket: "week", aggregate: "sum" });
    expect(sums.values[1]).toBe(2_800);
    expect([sums.lower[1], sums.upper[1]]).toEqual([null, null]);
    expect([sums.lower[2], sums.upper[2]]).toEqual([weeks.lower[2], weeks.upper[2]]);
    const { summary, calculatedSummary } = await getScenario(project, id);
    expect(calculatedSummary).toEqual(stored.summary);
    expect(summary!.sum).toBeCloseTo(sum(chart.values), 9);
    expect(summary!.max).toBe(Math.max(...chart.values.map(Number)));
    const width = ({ sumInterval, sum: total }: NonNullable<Scenario["summary"]>) =>
      sumInterval!.upper! - total!;
    expect(width(summary!)).toBeLessThan(width(stored.summary!));
    const listed = await listScenarios(testContext(), { projectId, sort: "mean" });
    expect(listed.items.find((one) => one.id === id)!.summary).toEqual(summary);
  });

  it("move the interval of a total with a shift, and keep its width", async () => {
    const { id } = await newScenario();
    const before = (await getScenario(project, id)).summary!;
    await add(id, { from: "2023-07-20", to: "2023-08-18", operation: "add", value: 5 });
    const after = (await getScenario(project, id)).summary!;
    expect(after.sum).toBeCloseTo(before.sum! + 150, 6);
    expect(after.sumInterval!.upper).toBeCloseTo(before.sumInterval!.upper! + 150, 6);
    expect(after.sumInterval!.lower).toBeCloseTo(before.sumInterval!.lower! + 150, 6);
  });

  it("are compared, downloaded and explained by a part of their own", async () => {
    const [base, other] = [await newScenario(), await newScenario()];
    await add(other.id, { operation: "add", value: 30 });
    const ids = `${base.id},${other.id}`;
    const { data } = await callRoute<Comparison>(compareRoute, call(undefined, { ids, levels: "0.8" }));
    expect(data.series[1]).toMatchObject({ totalDifferenceInterval: null });
    expect(data.scenarios[1]!.summary).toMatchObject({
      sum: (await getScenario(project, other.id)).summary!.sum,
    });
    const span = { ids, from: "2023-07-24", to: "2023-07-28" };
    const part = (await callRoute<Comparison>(compareRoute, call(undefined, span))).data;
    expect(part.series[1]!.summary!.sum).toBeCloseTo(part.series[0]!.summary!.sum! + 90, 6);
    expect(part.series[1]!.summary!.sumInterval!.upper).toBeCloseTo(
      part.series[0]!.summary!.sumInterval!.upper! + 90,
      6,
    );
    const csv = (await callRoute(compareRoute, call(undefined, { ids }, "text/csv"))).text;
    expect(
      csv.split("\r\n").filter((line) => Math.round(Number(line.split(",").at(-1))) === 30),
    ).toHaveLength(3);
    const why = (await callRoute<Difference>(differenceRoute, call(other.id, { baselineId: base.id }))).data;
    expect(why.totalDifference).toBeCloseTo(90, 9);
    expect(data.series[1]!.totalDifference).toBeCloseTo(90, 9);
    expect(why.parts[0]!.kind).toBe("overrides");
    expect(sum(why.parts.map(({ total }) => total))).toBeCloseTo(why.totalDifference, 9);
    expect(why.differences[5]).toBeCloseTo(30, 9);
  });

  it("are scored against actuals, while contributions and previews explain calculated values", async () => {
    const scenario = await newScenario();
    const rows = await rowsOf(scenario.id);
    const contributions = await callRoute(contributionsRoute, call(scenario.id, { rows: "6" }));
    const preview = () =>
      callRoute<{ totalDifference: number; saved: { values: number[] } }>(previewRoute, {
        ...call(scenario.id),
        body: { adjustments: [] },
      });
    const unedited = (await preview()).data;
    await add(scenario.id);
    expect((await callRoute(contributionsRoute, call(scenario.id, { rows: "6" }))).data).toEqual(
      contributions.data,
    );
    expect((await preview()).data).toEqual(unedited);
    await appendRows(testContext(), { projectId, fileData: base64(days(200, 210)) });
    const { predicted, errors } = (await callRoute<ScenarioActuals>(actualsRoute, call(scenario.id))).data;
    expect(predicted.slice(4, 8)).toEqual([rows[4]!.prediction, 500, 500, 500]);
    expect(errors!.rmse).toBeGreaterThan(100);
  });
});

describe("of many series", () => {
  const time = (day: number) => Date.UTC(2026, 0, day);
  const panel: PanelRow[] = [1, 2, 3].flatMap((day) =>
    ["A", "B"].flatMap((store) =>
      ["1", "2"].map((item) => ({
        store,
        item,
        region: store === "A" ? "south" : "north",
        time: time(day),
        prediction: day,
      })),
    ),
  );
  const span = { from: "2026-01-02", to: "2026-01-03", operation: "add", value: 10 };

  it("applies to the series that meet its conditions, and totals are sums of effective values", async () => {
    const id = await storePanelScenario(projectId, panel);
    const where = [
      { feature: "region", operator: "=", value: "south" },
      { feature: "item", operator: "!=", value: 1 },
    ];
    const { id: overrideId } = await add(id, { ...span, where });
    const rows = await rowsOf(id);
    for (const row of rows) {
      const isMoved = row.store === "A" && row.item === "2" && row.timestamp !== "2026-01-01T00:00:00.000Z";
      expect(row.prediction).toBe(Number(row.calculated) + (isMoved ? 10 : 0));
      expect(row.overrideId).toBe(isMoved ? overrideId : null);
      expect(row.upper).toBe(row.prediction! + 1);
    }
    const chart = await chartOf(id);
    expect([chart.values, chart.calculated]).toEqual([
      [4, 18, 22],
      [4, 8, 12],
    ]);
    expect((await chartOf(id, { where: "store:B" })).values).toEqual([2, 4, 6]);
    expect((await chartOf(id, { by: "store" })).groups![0]).toMatchObject({ values: { store: "A" } });
    expect((await getScenario(project, id)).summary).toMatchObject({ sum: 44, max: 22, first: 4, last: 22 });
    const csv = (await callRoute(predictionsRoute, call(id, { where: "store:A" }, "text/csv"))).text;
    expect(csv.split("\r\n").filter((line) => line.endsWith(overrideId))).toHaveLength(2);
  });

  it.each([
    [[{ feature: "shop", operator: "=", value: "A" }], "unknown_column"],
    [[{ feature: "store", operator: "<", value: "B" }], "wrong_type"],
    [[{ feature: "store", operator: "=", value: "C" }], "no_rows"],
  ])("rejects the conditions %j", async (where, code) => {
    const id = await storePanelScenario(projectId, panel);
    expect((await send(id, { ...span, where })).error?.details?.[0]?.code).toBe(code);
  });

  it("has a part of the difference", async () => {
    const [base, other] = [
      await storePanelScenario(projectId, panel),
      await storePanelScenario(projectId, panel),
    ];
    await add(other, { ...span, where: [{ feature: "store", operator: "=", value: "A" }] });
    const { data } = await callRoute<Comparison>(compareRoute, call(undefined, { ids: `${base},${other}` }));
    expect(data.series[1]!.differences).toEqual([0, 20, 20]);
  });
});

describe("runs", () => {
  it("keep the overrides, and reads as of an earlier time apply those of then to the run of then", async () => {
    const { id, runId } = await newScenario();
    const [first] = await rowsOf(id, { limit: "1" });
    const override = await add(id, { from: "2023-07-20", to: "2023-08-18", operation: "add", value: 1_000 });
    const accepted = await callRoute<{ jobId: string; runId: string }>(runRoute, { ...call(id), body: {} });
    expect((await runJobHere(accepted.data.jobId)).status).toBe("Completed");
    const scenario = await getScenario(project, id);
    expect(scenario.runId).toBe(accepted.data.runId);
    const rows = await rowsOf(id);
    expect(scenario.summary!.sum).toBeCloseTo(sum(rows.map(({ prediction }) => prediction)), 6);
    expect(rows.map(({ prediction, calculated }) => Math.round(prediction! - Number(calculated)))).toEqual(
      rows.map(({ overrideId }) => (overrideId === override.id ? 1_000 : 0)),
    );
    const earlier = new Date(Date.parse(override.createdAt) - 1).toISOString();
    expect(await rowsOf(id, { asOf: earlier, limit: "1" })).toEqual([first]);
    expect(await rowsOf(id, { asOf: override.createdAt, limit: "1" })).toMatchObject([
      { prediction: first!.prediction! + 1_000, calculated: first!.prediction, overrideId: override.id },
    ]);
    const former = await callRoute<Scenario>(scenarioRoute, call(id, { run: runId }));
    expect(former.data.summary!.sum).toBeCloseTo(
      former.data.calculatedSummary!.sum! + 1_000 * former.data.rowCount!,
      6,
    );
  });
});
