import { describe, expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import type { PredictionChart } from "#lib/contract/scenario-series";
import { parseCsv } from "#lib/engine/csv/parse";
import { callRoute } from "#testing/api";
import { callIn, createDemandProject, daysCsv, laterDays } from "#testing/demand-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, createTrainedProject, postScenario } from "#testing/scenario-factory";
import { GET as datasetRoute } from "../../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { GET as generatedRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/generated-inputs/route.ts";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

await createTestDatabase();
const project = await createDemandProject();
const inProject = callIn(project);

/** Returns a day from Monday 2024-01-01 on, without weekends. */
const weekday = (i: number) =>
  new Date(Date.UTC(2024, 0, 1 + Math.floor(i / 5) * 7 + (i % 5))).toISOString().slice(0, 10);

describe("a generated scenario", () => {
  it("runs from the step after the last known one to the end date, inclusive", async () => {
    const scenario = await createScenario(project, { title: "Two weeks", endDate: "2023-08-02" });
    expect(scenario).toMatchObject({
      source: "Generated",
      endDate: "2023-08-02T00:00:00.000Z",
      rowCount: 14,
      firstTimestamp: "2023-07-20T00:00:00.000Z",
      lastTimestamp: "2023-08-02T00:00:00.000Z",
      color: "#3498db",
    });
    expect(scenario.warnings).toContainEqual(
      expect.objectContaining({ code: "generated_input", column: "price" }),
    );
    const { data } = await callRoute<GeneratedInputs>(generatedRoute, {
      params: { projectId: project.projectId, scenarioId: scenario.id },
      as: project.as,
    });
    const [price] = data.features;
    expect(data.features.map(({ feature }) => feature)).toEqual(["price"]);
    expect(price).toMatchObject({ errorKind: "absolute", origins: expect.any(Number) });
    expect(scenario.warnings.find(({ column }) => column === "price")?.message).toContain(price!.method);
    expect([price!.known.timestamps.at(-1), price!.generated.timestamps[0]]).toEqual([
      "2023-07-19T00:00:00.000Z",
      "2023-07-20T00:00:00.000Z",
    ]);
    expect([price!.known.values.length, price!.generated.values.length]).toEqual([48, 14]);
  });

  it("has no generated inputs if a file provides them", async () => {
    const scenario = await createScenario(project, { fileData: base64(daysCsv(laterDays(3))) });
    const answer = await callRoute<GeneratedInputs>(generatedRoute, {
      params: { projectId: project.projectId, scenarioId: scenario.id },
      as: project.as,
    });
    expect([answer.status, answer.data]).toEqual([200, { features: [] }]);
  });

  it("without an end date covers the horizon that the model was validated on", async () => {
    const scenario = await createScenario(project, {});
    expect(scenario).toMatchObject({ endDate: null, rowCount: 28 });
  });

  it.each([
    { calendar: "business", step: (i: number) => weekday(i), next: ["2024-05-20", "2024-06-14"] },
    {
      calendar: null,
      step: (i: number) => `${1990 + Math.floor(i / 4)}Q${(i % 4) + 1}`,
      next: ["2015-01-01", "2016-10-01"],
    },
  ])("continues the calendar of the data ($calendar)", async ({ calendar, step, next }) => {
    const rows = Array.from({ length: 100 }, (_, i) => `${step(i)},${100 + 10 * (i % 5) + ((i * 7) % 3)}`);
    const series = await createTrainedProject({
      csv: `t,y\n${rows.join("\n")}\n`,
      target: "y",
      timestamp: "t",
      request: { algorithm: "theta" },
    });
    const { data } = await callRoute<Dataset>(datasetRoute, {
      params: { projectId: series.projectId },
      as: series.as,
    });
    expect([data.frequency, data.calendar]).toEqual([calendar ? "P1D" : "P3M", calendar]);
    const scenario = await createScenario(series, {});
    expect([scenario.firstTimestamp, scenario.lastTimestamp]).toEqual(
      next.map((day) => `${day}T00:00:00.000Z`),
    );
    expect(scenario.rowCount).toBe(calendar ? 20 : 8);
  });

  it("of a model without times uses the held-out rows, and warns that the model was trained on them", async () => {
    const table = Array.from(
      { length: 60 },
      (_, i) => `${i % 7},${(i * 13) % 11},${2 * (i % 7) + ((i * 13) % 11)}`,
    );
    const untimed = await createTrainedProject({
      csv: `a,b,y\n${table.join("\n")}\n`,
      target: "y",
      request: { algorithm: "ridge" },
    });
    const scenario = await createScenario(untimed, {});
    expect(scenario).toMatchObject({ rowCount: 12, firstTimestamp: null, lastTimestamp: null });
    const message = "12 rows were part of the training data. Expect larger errors on new rows.";
    expect(scenario.warnings).toContainEqual(
      expect.objectContaining({ code: "in_sample", rows: 12, message }),
    );
    const chart = await callRoute<PredictionChart>(predictionsRoute, {
      params: { projectId: untimed.projectId, scenarioId: scenario.id },
      as: untimed.as,
      query: { maxPoints: "100", from: "3", to: "5" },
    });
    expect(chart.data.rows).toEqual([3, 4, 5]);
    const rejected = await postScenario(untimed, { endDate: "2030-01-01" });
    expect([rejected.status, rejected.error?.code]).toEqual([400, "validation_failed"]);
  });
});

describe("a what-if scenario", () => {
  it("applies its adjustments to the base scenario's input, and can be replayed on another checkpoint", async () => {
    const base = await createScenario(project, { fileData: base64(daysCsv(laterDays(10))) });
    const adjustments = [
      { feature: "price", operation: "multiply", value: 2, from: "2023-07-25", to: "2023-07-26" },
      {
        feature: "price",
        operation: "add",
        value: 1,
        where: [{ feature: "price", operator: ">", value: 12 }],
      },
    ];
    const changed = await createScenario(project, {
      baseScenarioId: base.id,
      checkpointId: base.checkpointId,
      adjustments,
    });
    expect(changed).toMatchObject({ source: "Clone", baseScenarioId: base.id, adjustments, rowCount: 10 });
    const download = await callRoute(
      predictionsRoute,
      inProject({ scenarioId: changed.id, headers: { accept: "text/csv" } }),
    );
    const price = parseCsv(download.text).table.columns[1] as { values: Float64Array };
    expect(Array.from(price.values)).toEqual([5, 5.25, 5.5, 5.75, 6, 13.5, 14, 6.75, 7, 7.25]);
    const onNew = await createScenario(project, { baseScenarioId: changed.id });
    expect(onNew.summary).toEqual(changed.summary);
  });

  it("is rejected for invalid features and values, for an unknown base scenario, and for adjustments without a base", async () => {
    const base = await createScenario(project, { fileData: base64(daysCsv(laterDays(4))) });
    const bad = await postScenario(project, {
      baseScenarioId: base.id,
      adjustments: [
        { feature: "prise", operation: "add", value: 1 },
        { feature: "price", operation: "multiply", value: "much" },
      ],
    });
    expect([bad.status, bad.error?.code]).toEqual([400, "validation_failed"]);
    expect(bad.error?.details?.map(({ field }) => field)).toEqual(["adjustments.0", "adjustments.1"]);
    const unknown = await postScenario(project, { baseScenarioId: crypto.randomUUID() });
    expect([unknown.status, unknown.error?.code]).toEqual([404, "scenario_not_found"]);
    const alone = await postScenario(project, {
      adjustments: [{ feature: "price", operation: "add", value: 1 }],
    });
    expect([alone.status, alone.error?.code]).toEqual([400, "validation_failed"]);
    const waiting = await postScenario(project, {});
    const early = await postScenario(project, { baseScenarioId: waiting.data.scenarioId });
    expect([early.status, early.error?.code]).toEqual([409, "scenario_not_ready"]);
    await runJobHere(waiting.data.jobId);
  });
});
