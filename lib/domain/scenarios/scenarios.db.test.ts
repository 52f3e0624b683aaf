import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { outboxEvents } from "#db/schema/jobs";
import { predictionChunks, scenarios } from "#db/schema/scenarios";
import type { Prediction } from "#lib/contract/predictions";
import type { Contributions, PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { parseCsv } from "#lib/engine/csv/parse";
import { callRoute, createKey, createProject } from "#testing/api";
import { callIn, createDemandProject, daysCsv, laterDays } from "#testing/demand-project";
import { keptFolders } from "#testing/kept-folders";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, getScenario, postScenario } from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as contributionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { DELETE, GET, PATCH } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { GET as listRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/route.ts";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

const { db } = await createTestDatabase();
const project = await createDemandProject();
const inProject = callIn(project);

describe("a scenario of an uploaded CSV", () => {
  it("is accepted with its checkpoint and job, and completes with predictions bit-identical to predict's", async () => {
    const list = laterDays(30);
    const accepted = await postScenario(project, {
      title: "  Price rises ",
      description: "A quarter a day",
      color: "#e67e22",
      fileData: base64(daysCsv(list)),
      fileName: "prices.csv",
    });
    expect(accepted.status).toBe(202);
    expect(Object.keys(accepted.data).sort()).toEqual(["checkpointId", "jobId", "scenarioId", "status"]);
    expect(accepted.data.status).toBe("Pending");
    const { scenarioId, jobId, checkpointId } = accepted.data;
    expect(await getScenario(project, scenarioId)).toMatchObject({ status: "Pending", rowCount: null });

    const job = await runJobHere(jobId);
    expect(job).toMatchObject({
      status: "Completed",
      progress: 100,
      errorMessage: null,
      rowsTotal: 30,
      rowsProcessed: 30,
      scenarioId,
      checkpointId,
    });
    const scenario = await getScenario(project, scenarioId);
    expect(scenario).toMatchObject({
      title: "Price rises",
      color: "#e67e22",
      status: "Completed",
      source: "Upload",
      fileName: "prices.csv",
      rowCount: 30,
      firstTimestamp: "2023-07-20T00:00:00.000Z",
      lastTimestamp: "2023-08-18T00:00:00.000Z",
      checkpointId,
      dependentProjectCheckpoints: {},
      createdBy: project.as.createdBy,
    });

    const answer = await callRoute<PredictionRow[]>(predictionsRoute, inProject({ scenarioId }));
    const predicted = await callRoute<Prediction>(
      predictRoute,
      inProject({
        body: {
          checkpointId,
          include: ["intervals"],
          input: { date: list.map(({ date }) => date), price: list.map(({ price }) => price) },
        },
      }),
    );
    expect(answer.data.map(({ prediction }) => prediction)).toEqual(predicted.data.predictions);
    expect(answer.data.map(({ lower }) => lower)).toEqual(predicted.data.intervals?.lower);
    expect(answer.data[29]).toMatchObject({ row: 30, timestamp: "2023-08-18T00:00:00.000Z" });
    const values = predicted.data.predictions;
    expect(scenario.summary).toMatchObject({
      first: values[0],
      last: values[29],
      min: Math.min(...values),
      max: Math.max(...values),
    });
    const events = await db.select().from(outboxEvents).where(eq(outboxEvents.name, "scenario-completed"));
    expect(events.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ entityId: scenarioId, jobId, label: "Price rises", status: "Completed" }),
    );
    const folders = await keptFolders(`projects/${project.projectId}/scenarios/${scenarioId}`);
    expect(folders).toEqual([`projects/${project.projectId}/scenarios/${scenarioId}/input-${jobId}-1`]);
  });

  it("is returned page by page, as a chart with its extremes, and as CSV that can be uploaded again", async () => {
    const { id: scenarioId } = await createScenario(project, {
      title: 'Möwe: "a/b"',
      fileData: base64(daysCsv(laterDays(25))),
    });
    const first = await callRoute<PredictionRow[]>(
      predictionsRoute,
      inProject({ scenarioId, query: { limit: "20" } }),
    );
    expect(first.data.length).toBe(20);
    const link = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1];
    const cursor = new URL(link!).searchParams.get("cursor")!;
    const second = await callRoute<PredictionRow[]>(
      predictionsRoute,
      inProject({ scenarioId, query: { limit: "20", cursor } }),
    );
    expect(second.data.map(({ row }) => row)).toEqual([21, 22, 23, 24, 25]);
    expect(second.headers.get("link")).toBeNull();
    const all = [...first.data, ...second.data].map(({ prediction }) => prediction!);

    const chart = await callRoute<PredictionChart>(
      predictionsRoute,
      inProject({ scenarioId, query: { maxPoints: "8", from: "2023-07-22", to: "2023-08-08" } }),
    );
    const part = all.slice(2, 20);
    expect(chart.data.values.length).toBeLessThanOrEqual(8);
    expect(chart.data.values).toContain(Math.max(...part));
    expect(chart.data.values).toContain(Math.min(...part));
    expect([chart.data.timestamps?.[0], chart.data.timestamps?.at(-1)]).toEqual([
      "2023-07-22T00:00:00.000Z",
      "2023-08-08T00:00:00.000Z",
    ]);

    const download = await callRoute(
      predictionsRoute,
      inProject({ scenarioId, headers: { accept: "text/csv" } }),
    );
    expect(download.headers.get("content-type")).toContain("text/csv");
    expect(download.headers.get("content-disposition")).toContain("filename*=UTF-8''M%C3%B6we");
    const { table, header } = parseCsv(download.text);
    expect(header).toEqual(["date", "price", "prediction", "lower", "upper"]);
    expect(Array.from((table.columns[2] as { values: Float64Array }).values)).toEqual(all);

    const again = await createScenario(project, { fileData: base64(download.text) });
    const repeated = await callRoute<PredictionRow[]>(predictionsRoute, inProject({ scenarioId: again.id }));
    expect(repeated.data.map(({ prediction }) => prediction)).toEqual(all);
    expect(again.warnings.map(({ column }) => column)).toContain("prediction");
  });

  it("returns each feature's contribution to the prediction of a row", async () => {
    const { id: scenarioId } = await createScenario(project, { fileData: base64(daysCsv(laterDays(10))) });
    const { data } = await callRoute<Contributions>(
      contributionsRoute,
      inProject({ scenarioId, query: { rows: "9,2" } }),
    );
    expect(data.rows).toEqual([9, 2]);
    expect(data.features).toContain("price");
    const rowsRead = await callRoute<PredictionRow[]>(predictionsRoute, inProject({ scenarioId }));
    for (const [index, row] of data.rows.entries()) {
      const sum = data.values[index]!.reduce((total, value) => total + value, data.baseValue);
      expect(sum).toBeCloseTo(rowsRead.data[row - 1]!.prediction!, 9);
      expect(data.predictions[index]).toBe(rowsRead.data[row - 1]!.prediction);
    }
    const none = await callRoute(contributionsRoute, inProject({ scenarioId, query: { rows: "11" } }));
    expect([none.status, none.error?.code]).toEqual([400, "validation_failed"]);
  });

  it("is checked by validate in the same way, with the nearest column name", async () => {
    const wrong = `date,prize\n2023-07-20,5\n2023-07-21,abc\n`;
    const answer = await callRoute<{ valid: boolean; rowCount: number; faults: unknown[] }>(
      validateRoute,
      inProject({ body: { fileData: base64(wrong) } }),
    );
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ valid: false, rowCount: 2 });
    expect(answer.data.faults).toContainEqual(
      expect.objectContaining({
        column: "price",
        code: "missing_column",
        message: expect.stringContaining("prize"),
      }),
    );
    const good = await callRoute(
      validateRoute,
      inProject({ body: { fileData: base64(daysCsv(laterDays(3))) } }),
    );
    expect(good.data).toMatchObject({ valid: true, rowCount: 3, faults: [] });
  });
});

describe("GET, PATCH and DELETE", () => {
  it("list newest first, page by page, each scenario once", async () => {
    const { data: first, headers } = await callRoute<Scenario[]>(
      listRoute,
      inProject({ query: { limit: "3" } }),
    );
    expect(first.length).toBe(3);
    const seen = [...first];
    for (let link = headers.get("link"); link !== null; ) {
      const cursor = new URL(/<([^>]+)>/.exec(link)![1]!).searchParams.get("cursor")!;
      const page = await callRoute<Scenario[]>(listRoute, inProject({ query: { limit: "3", cursor } }));
      seen.push(...page.data);
      link = page.headers.get("link");
    }
    const stored = await db.$count(scenarios, eq(scenarios.projectId, project.projectId));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(stored);
    expect(seen.length).toBe(stored);
    const times = seen.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it("change title, description and colour, and only from the state that was read", async () => {
    const { id: scenarioId } = await createScenario(project, {});
    const read = await callRoute<Scenario>(GET, inProject({ scenarioId }));
    const etag = read.headers.get("etag")!;
    const changed = await callRoute<Scenario>(
      PATCH,
      inProject({
        scenarioId,
        method: "PATCH",
        body: { title: "Renamed", color: "#abc" },
        headers: { "if-match": etag },
      }),
    );
    expect(changed.data).toEqual({ ...read.data, title: "Renamed", color: "#abc" });
    const stale = await callRoute(
      PATCH,
      inProject({ scenarioId, method: "PATCH", body: { title: "Too late" }, headers: { "if-match": etag } }),
    );
    expect([stale.status, stale.error?.code]).toEqual([412, "precondition_failed"]);
    const empty = await callRoute(PATCH, inProject({ scenarioId, method: "PATCH", body: {} }));
    expect(empty.error?.code).toBe("validation_failed");
  });

  it("delete a scenario immediately for callers, and its data with the deletion job", async () => {
    const { id: scenarioId } = await createScenario(project, {});
    const deleted = await callRoute<{ jobId: string; message: string; scenarioId: string }>(
      DELETE,
      inProject({ scenarioId, method: "DELETE" }),
    );
    expect(deleted.status).toBe(202);
    expect(deleted.data.scenarioId).toBe(scenarioId);
    for (const route of [GET, predictionsRoute]) {
      const gone = await callRoute(route, inProject({ scenarioId }));
      expect([gone.status, gone.error?.code]).toEqual([404, "scenario_not_found"]);
    }
    expect((await runJobHere(deleted.data.jobId)).status).toBe("Completed");
    expect(await db.$count(scenarios, eq(scenarios.id, scenarioId))).toBe(0);
    expect(await db.$count(predictionChunks, eq(predictionChunks.runId, scenarioId))).toBe(0);
    expect(await keptFolders(`projects/${project.projectId}/scenarios/${scenarioId}`)).toEqual([]);
  });

  it("return scenario_not_found for another project's scenario and for a malformed ID", async () => {
    const { id: scenarioId } = await createScenario(project, {});
    const { id: projectId } = await createProject();
    const foreign = await callRoute(GET, {
      params: { projectId, scenarioId },
      as: await createKey({ projectId }),
    });
    const malformed = await callRoute(GET, inProject({ scenarioId: "no-guid" }));
    const unknown = await callRoute(GET, inProject({ scenarioId: crypto.randomUUID() }));
    for (const answer of [foreign, malformed, unknown]) {
      expect([answer.status, answer.error?.code]).toEqual([404, "scenario_not_found"]);
    }
    const waiting = await postScenario(project, {});
    const early = await callRoute(predictionsRoute, inProject({ scenarioId: waiting.data.scenarioId }));
    expect([early.status, early.error?.code]).toEqual([409, "scenario_not_ready"]);
  });
});
