import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog } from "#db/schema/access";
import { outboxEvents } from "#db/schema/jobs";
import { scenarioOverrides } from "#db/schema/scenarios";
import type { ScenarioActuals } from "#lib/contract/actuals";
import type { ScenarioOverride } from "#lib/contract/overrides";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison, PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { listScenarios } from "#lib/domain/scenarios/list-scenarios";
import { selectOverrides } from "#lib/domain/scenarios/select-overrides";
import { database } from "#lib/platform/database/process-database";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { dailyDemand } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject, getScenario } from "#testing/scenario-factory";
import { type PanelRow, storePanelScenario, storeScenario } from "#testing/stored-scenario";
import { GET as actualsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/actuals/route.ts";
import { GET as differenceRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import {
  DELETE as endRoute,
  GET as getRoute,
} from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/overrides/[overrideId]/route.ts";
import {
  POST as addRoute,
  GET as listRoute,
} from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/overrides/route.ts";
import { GET as contributionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { POST as previewRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/preview/route.ts";
import { GET as scenarioRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { GET as rowsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";
import { POST as runRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/runs/route.ts";
import { GET as compareRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

await createTestDatabase();

const all = dailyDemand(220).trim().split("\n");
const days = (from: number, to: number) => `${[all[0], ...all.slice(1 + from, 1 + to)].join("\n")}\n`;
const project = await createTrainedProject({
  csv: days(0, 200),
  target: "demand",
  timestamp: "date",
  request: { algorithm: "ridge", features: { lags: [1, 7] }, horizon: 14 },
});
const { projectId, as } = project;
const { checkpointId } = await createScenario(project, {});
const newScenario = () => createScenario(project, { checkpointId, endDate: "2023-08-18" });

type Query = Record<string, string | string[]>;
const call = (scenarioId: string | undefined, query: Query = {}, accept = "application/json") => ({
  as,
  params: { projectId, ...(scenarioId && { scenarioId }) },
  query,
  headers: { accept },
});
const body = { from: "2023-07-25", to: "2023-07-27", operation: "set", value: 500, reason: "Fair in town" };
const send = (scenarioId: string, fields: object = {}, headers: Record<string, string> = {}) =>
  callRoute<ScenarioOverride>(addRoute, { ...call(scenarioId), headers, body: { ...body, ...fields } });
async function add(scenarioId: string, fields: object = {}): Promise<ScenarioOverride> {
  const answer = await send(scenarioId, fields);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data;
}
const ofOverride = (scenarioId: string, overrideId: string) => ({
  as,
  params: { projectId, scenarioId, overrideId },
});
const list = async (scenarioId: string, query: Query = {}) =>
  (await callRoute<ScenarioOverride[]>(listRoute, call(scenarioId, query))).data;
const rowsOf = async (scenarioId: string, query: Query = {}) =>
  (await callRoute<PredictionRow[]>(predictionsRoute, call(scenarioId, query))).data;
const chartOf = async (scenarioId: string, query: Query = {}) =>
  (await callRoute<PredictionChart>(predictionsRoute, call(scenarioId, { maxPoints: "100", ...query }))).data;
const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

describe("an override", () => {
  it("is created, read, listed in the order of creation, and ended", async () => {
    const { id } = await newScenario();
    const first = await add(id);
    expect(first).toMatchObject({
      projectId,
      scenarioId: id,
      from: "2023-07-25T00:00:00.000Z",
      to: "2023-07-27T00:00:00.000Z",
      operation: "set",
      value: 500,
      reason: "Fair in town",
      where: null,
      createdBy: as.createdBy,
    });
    const second = await add(id, { operation: "multiply", value: 1.1, reason: "  Growth " });
    expect(second.reason).toBe("Growth");
    expect(await list(id)).toEqual([first, second]);
    expect((await callRoute(getRoute, ofOverride(id, first.id))).data).toEqual(first);
    expect((await callRoute(endRoute, ofOverride(id, first.id))).data).toEqual(first);
    expect(await list(id)).toEqual([second]);
    for (const route of [getRoute, endRoute]) {
      const gone = await callRoute(route, ofOverride(id, first.id));
      expect([gone.status, gone.error?.code]).toEqual([404, "override_not_found"]);
    }
    const other = await newScenario();
    expect((await callRoute(getRoute, ofOverride(other.id, second.id))).error?.code).toBe(
      "override_not_found",
    );
  });

  it.each([
    [{ from: "2023-07-28" }, "after_to"],
    [{ from: "2024-01-01", to: "2024-02-01" }, "no_rows"],
    [{ from: "2023-07-25T06:00:00Z", to: "2023-07-25T07:00:00Z" }, "no_rows"],
    [{ where: [{ feature: "store", operator: "=", value: "A" }] }, "one_series"],
    [{ operation: "multiply", value: -1 }, undefined],
    [{ reason: " " }, undefined],
    [{ reason: "x".repeat(501) }, undefined],
    [{ reason: undefined }, undefined],
    [{ from: "soon" }, undefined],
    [{ value: "1" }, undefined],
    [{ operation: "divide" }, undefined],
    [{ untl: "2023" }, undefined],
  ])("is rejected with %j", async (fields, code) => {
    const { id } = await newScenario();
    const answer = await send(id, fields);
    expect([answer.status, answer.error?.code]).toEqual([400, "validation_failed"]);
    if (code !== undefined) expect(answer.error?.details?.[0]?.code).toBe(code);
    if (code === "no_rows")
      expect(answer.error?.message).toContain("from 2023-07-20T00:00:00.000Z to 2023-08-18T00:00:00.000Z");
    expect(await list(id)).toEqual([]);
    expect((await getScenario(project, id)).calculatedSummary).toBeUndefined();
  });

  it("is rejected for a scenario without times", async () => {
    const id = await storeScenario(projectId, {
      timestamps: null,
      prediction: Float64Array.of(1),
      lower: null,
      upper: null,
    });
    expect((await send(id)).error?.details?.[0]?.code).toBe("no_timestamps");
  });

  it("is stored once for a repeated request", async () => {
    const { id } = await newScenario();
    const headers = { "idempotency-key": `override-${id}` };
    const [first, again] = [await send(id, {}, headers), await send(id, {}, headers)];
    expect(again.data).toEqual(first.data);
    expect(await list(id)).toHaveLength(1);
  });

  it("is limited to 100 active ones, also for concurrent requests, and each of these counts", async () => {
    const { id } = await newScenario();
    const before = await getScenario(project, id);
    for (let count = 0; count < 98; count++) await add(id, { operation: "add", value: 1 });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send(id, { operation: "add", value: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.error!.message).toContain("100 active overrides");
    const { summary } = await getScenario(project, id);
    expect(summary!.sum).toBeCloseTo(before.summary!.sum! + 3 * 100, 6);
    const ended = (await list(id, { limit: "2" })).map((one) => callRoute(endRoute, ofOverride(id, one.id)));
    await Promise.all(ended);
    expect((await getScenario(project, id)).summary!.sum).toBeCloseTo(before.summary!.sum! + 3 * 98, 6);
    await add(id);
  });

  it("is audited with its fields and reported by an event, as is its end", async () => {
    const { id, title } = await newScenario();
    const override = await add(id);
    await callRoute(endRoute, ofOverride(id, override.id));
    const entries = await database()
      .select()
      .from(auditLog)
      .where(sql`${auditLog.entityId} = ${id} and ${auditLog.action} like 'scenario.override-%'`)
      .orderBy(auditLog.at);
    expect(entries.map(({ action, label }) => [action, label])).toEqual([
      ["scenario.override-added", title],
      ["scenario.override-ended", title],
    ]);
    expect(entries[0]!.changes).toContainEqual({ field: "override.reason", from: null, to: "Fair in town" });
    expect(entries[1]!.changes).toContainEqual({ field: "override.value", from: 500, to: null });
    const events = await database()
      .select()
      .from(outboxEvents)
      .where(sql`${outboxEvents.payload} ->> 'entityId' = ${id}`);
    expect(events.filter(({ name }) => name === "scenario-updated")).toHaveLength(2);
  });

  it("never changes in the database, and ends once", async () => {
    const { id } = await newScenario();
    const override = await add(id);
    const change = (values: object) =>
      database().update(scenarioOverrides).set(values).where(eq(scenarioOverrides.id, override.id));
    const rejected = { cause: expect.objectContaining({ constraint_name: "scenario_overrides_only_end" }) };
    await expect(change({ value: 1 })).rejects.toMatchObject(rejected);
    await callRoute(endRoute, ofOverride(id, override.id));
    await expect(change({ endedBy: "another" })).rejects.toMatchObject(rejected);
  });

  it("stays stored after its end, as it was, and reads as of then find it", async () => {
    const { id } = await newScenario();
    const override = await add(id);
    await callRoute(endRoute, ofOverride(id, override.id));
    const [row] = await database()
      .select()
      .from(scenarioOverrides)
      .where(eq(scenarioOverrides.scenarioId, id));
    expect(row).toMatchObject({ reason: "Fair in town", endedBy: as.createdBy });
    const at = async (time: Date) => (await selectOverrides(database(), [id], time)).get(id)?.length ?? 0;
    const { createdAt, endedAt } = row!;
    expect([
      await at(new Date(createdAt.getTime() - 1_000)),
      await at(new Date(endedAt!.getTime() - 1)),
      await at(new Date(endedAt!.getTime() + 1_000)),
    ]).toEqual([0, 1, 0]);
  });
});

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
