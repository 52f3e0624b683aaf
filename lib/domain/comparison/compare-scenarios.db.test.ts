import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { scenarioRuns } from "#db/schema/scenarios";
import { limits } from "#lib/contract/limits";
import type { Comparison, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { callRoute, createKey, createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject, postScenario } from "#testing/scenario-factory";
import { GET as differenceRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/difference/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as compareRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";
import { GET as extrapolationsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/extrapolation/route.ts";

const { db } = await createTestDatabase();

const day = (offset: number) => new Date(Date.UTC(2023, 6, 20 + offset)).toISOString().slice(0, 10);
const csv = (from: number, to: number) =>
  `date,price\n${Array.from({ length: to - from }, (_, i) => `${day(from + i)},6`).join("\n")}\n`;

const project = await createTrainedProject({ csv: dailyDemand(200), target: "demand", timestamp: "date" });
const base = await createScenario(project, { title: "Base", fileData: base64(csv(0, 40)) });
const dearer = await createScenario(project, {
  title: "Dearer",
  color: "#e74c3c",
  baseScenarioId: base.id,
  checkpointId: base.checkpointId,
  adjustments: [{ feature: "price", operation: "add", value: 1, from: day(10), to: day(19) }],
});
const later = await createScenario(project, { title: "Later", fileData: base64(csv(30, 50)) });

const compare = (query: Record<string, string>) =>
  callRoute<Comparison>(compareRoute, { params: { projectId: project.projectId }, as: project.as, query });

async function valuesOf(scenario: Scenario): Promise<number[]> {
  return (await rowsOf(scenario)).map(({ prediction }) => prediction!);
}

async function rowsOf({ id }: Scenario): Promise<PredictionRow[]> {
  const { data } = await callRoute<PredictionRow[]>(predictionsRoute, {
    params: { projectId: project.projectId, scenarioId: id },
    as: project.as,
  });
  return data;
}

describe("GET scenarios/compare", () => {
  it("returns each series with its differences from the baseline, per point, in total and in percent", async () => {
    const { data, status } = await compare({ ids: `${base.id},${dearer.id}` });
    expect(status).toBe(200);
    const [a, b] = [await valuesOf(base), await valuesOf(dearer)];
    const differences = b.map((value, i) => value - a[i]!);
    expect(data.baselineId).toBe(base.id);
    expect(data.timestamps?.length).toBe(40);
    expect(data.scenarios.map(({ title, color, rowCount }) => [title, color, rowCount])).toEqual([
      ["Base", "#3498db", 40],
      ["Dearer", "#e74c3c", 40],
    ]);
    const [baseline, other] = data.series;
    expect(baseline).toMatchObject({ values: a, totalDifference: 0, percentDifference: 0 });
    expect(other).toMatchObject({ values: b, differences });
    expect(differences.filter((one) => one !== 0).length).toBe(10);
    const total = differences.reduce((sum, one) => sum + one, 0);
    expect(other?.totalDifference).toBeCloseTo(total, 9);
    expect(other?.percentDifference).toBeCloseTo((100 * total) / a.reduce((sum, one) => sum + one, 0), 9);
    expect(data.differs).toEqual({
      inputs: [
        {
          feature: "price",
          scenarioIds: [dearer.id],
          changedRows: 10,
          amounts: [expect.objectContaining({ scenarioId: dearer.id, rows: 10 })],
        },
      ],
      checkpoints: [],
      dependentCheckpoints: [],
    });
  });

  it("names the span that all scenarios cover, over which sums and means have the same rows", async () => {
    const ids = `${base.id},${dearer.id},${later.id}`;
    const { data } = await compare({ ids });
    const at = (offset: number) => `${day(offset)}T00:00:00.000Z`;
    expect(data.commonSpan).toEqual({ from: at(30), to: at(39) });
    expect(data.series.map(({ rowCount, valueCount }) => [rowCount, valueCount])).toEqual([
      [40, 40],
      [40, 40],
      [20, 20],
    ]);
    const common = (await compare({ ids, ...data.commonSpan })).data;
    expect(common.series.map(({ rowCount }) => rowCount)).toEqual([10, 10, 10]);
    const sums = common.series.map(({ summary }) => summary!.sum!);
    for (const [index, { totalDifference }] of common.series.entries())
      expect(totalDifference).toBeCloseTo(sums[index]! - sums[0]!, 6);
    // Buckets extend to whole weeks, the span does not.
    const weeks = (await compare({ ids, bucket: "week" })).data;
    expect(weeks.commonSpan).toEqual(data.commonSpan);
    expect((await compare({ ids, to: day(29) })).data.commonSpan).toEqual({ from: at(0), to: at(29) });
  });

  it("aligns by time, with null where a scenario has no value, and lists the checkpoints that differ", async () => {
    const { data } = await compare({ ids: `${base.id},${later.id}`, baselineId: later.id });
    expect(data.baselineId).toBe(later.id);
    expect(data.timestamps?.length).toBe(50);
    const [first, second] = data.series;
    expect(first?.values.slice(40)).toEqual(Array(10).fill(null));
    expect(second?.values.slice(0, 30)).toEqual(Array(30).fill(null));
    expect(first?.differences.flatMap((one, i) => (one === null ? [] : [i]))).toEqual(
      Array.from({ length: 10 }, (_, i) => 30 + i),
    );
    const [earlyRows, lateRows] = [await rowsOf(base), await rowsOf(later)];
    expect(first).toMatchObject({ lower: [...earlyRows.map(({ lower }) => lower), ...Array(10).fill(null)] });
    expect(second).toMatchObject({ upper: [...Array(30).fill(null), ...lateRows.map(({ upper }) => upper)] });
    expect(earlyRows[0]!.lower).toBeLessThan(earlyRows[0]!.prediction!);
    expect(data.differs.checkpoints.map(({ scenarioIds }) => scenarioIds)).toEqual([[base.id], [later.id]]);
  });

  it("downsamples all series to the same points, and computes totals over every point of the range", async () => {
    const all = await compare({ ids: `${base.id},${dearer.id}`, from: day(5), to: day(14) });
    expect(all.data.timestamps?.length).toBe(10);
    const thin = await compare({ ids: `${base.id},${dearer.id}`, from: day(5), to: day(14), maxPoints: "6" });
    expect(thin.data.timestamps!.length).toBeLessThanOrEqual(6);
    for (const series of thin.data.series) expect(series.values.length).toBe(thin.data.timestamps!.length);
    expect(thin.data.series[1]?.totalDifference).toBe(all.data.series[1]?.totalDifference);
  });

  it("returns known actuals as points and as CSV, and null without actuals", async () => {
    expect((await compare({ ids: `${base.id},${later.id}` })).data.actual).toBeNull();
    const past = await createScenario(project, { title: "Past", fileData: base64(csv(-5, 5)) });
    const lines = dailyDemand(200).trim().split("\n");
    const column = lines[0]!.split(",").indexOf("demand");
    const known = lines.slice(-5).map((line) => Number(line.split(",")[column]));
    const ids = `${past.id},${base.id}`;
    expect((await compare({ ids, from: day(-5), to: day(1) })).data.actual).toEqual([...known, null, null]);
    const { text } = await callRoute(compareRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      query: { ids },
      headers: { accept: "text/csv" },
    });
    const table = text.trim().split("\n");
    expect(table[0]).toMatch(/,actual\r?$/);
    expect(Number(table[1]!.split(",").at(-1))).toBe(known[0]);
  });

  it("returns every point as CSV, with prediction, interval and difference of each scenario", async () => {
    const query = { ids: `${base.id},${later.id}`, from: day(25), to: day(44), maxPoints: "2" };
    const answer = await callRoute(compareRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      query,
      headers: { accept: "text/csv" },
    });
    expect(answer.headers.get("content-disposition")).toContain('filename="Comparison with Base.csv"');
    const [header, ...lines] = answer.text.trim().split("\r\n");
    expect(header).toBe(
      "timestamp,Base,Base lower,Base upper,Later,Later lower,Later upper,Later difference",
    );
    expect(lines.length).toBe(20);
    const [only, both] = [lines[0]!.split(","), lines[5]!.split(",")];
    expect(only.slice(4)).toEqual(["", "", "", ""]);
    expect(Number(both[7])).toBe(Number(both[4]) - Number(both[1]));
  });

  it("rejects a single scenario, a baseline that is not in ids, repeated ids, and invalid times", async () => {
    const rejected = [
      { ids: base.id },
      { ids: `${base.id},${base.id}` },
      { ids: `${base.id},${dearer.id}`, baselineId: later.id },
      { ids: `${base.id},${dearer.id}`, from: "yesterday" },
      { ids: `${base.id},${dearer.id}`, from: "3" },
      { ids: `${base.id},${dearer.id}`, from: day(5), to: day(1) },
    ];
    for (const query of rejected) {
      const answer = await compare(query);
      expect([query, answer.status, answer.error?.code]).toEqual([query, 400, "validation_failed"]);
    }
  });

  it("rejects more rows than the limit, for comparison, CSV, explanation and extrapolation", async () => {
    const huge = await createScenario(project, { title: "Huge", fileData: base64(csv(0, 5)) });
    const rowCount = limits.comparedRows - 39;
    await db.transaction(async (tx) => {
      // Bypasses the triggers, because storing so many rows would take too long.
      await tx.execute("set local session_replication_role = replica");
      await tx.update(scenarioRuns).set({ rowCount }).where(eq(scenarioRuns.id, huge.id));
    });
    const { projectId, as } = project;
    const query = { ids: `${base.id},${huge.id}` };
    const csvOf = { headers: { accept: "text/csv" } };
    const answers = [
      await compare(query),
      await callRoute(compareRoute, { params: { projectId }, as, query, ...csvOf }),
      await callRoute(differenceRoute, {
        params: { projectId, scenarioId: huge.id },
        as,
        query: { baselineId: base.id },
      }),
      await callRoute(extrapolationsRoute, { params: { projectId }, as, query }),
    ];
    for (const { status, error } of answers) {
      expect([status, error?.code]).toEqual([400, "validation_failed"]);
      expect(error?.message).toContain("40,000,001 rows in total; at most 40,000,000");
    }
  });

  it("returns 404 for unknown or malformed ids and ids of another project, and 409 while a scenario is not ready", async () => {
    const other = await createTrainedProject({ csv: dailyDemand(60), target: "demand", timestamp: "date" });
    const foreign = await createScenario(other, {});
    for (const id of [crypto.randomUUID(), foreign.id, "x"]) {
      const answer = await compare({ ids: `${base.id},${id}` });
      expect([answer.status, answer.error?.code]).toEqual([404, "scenario_not_found"]);
    }
    const { data } = await postScenario(project, {});
    const early = await compare({ ids: `${base.id},${data.scenarioId}` });
    expect([early.status, early.error?.code]).toEqual([409, "scenario_not_ready"]);
  });

  it("returns project_not_found to a key of another project", async () => {
    const { id: projectId } = await createProject();
    const answer = await callRoute(compareRoute, {
      params: { projectId: project.projectId },
      as: await createKey({ projectId }),
      query: { ids: `${base.id},${dearer.id}` },
    });
    expect([answer.status, answer.error?.code]).toEqual([404, "project_not_found"]);
  });
});
