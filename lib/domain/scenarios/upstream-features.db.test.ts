import { describe, expect, it } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario } from "#lib/contract/scenarios";
import { updateCheckpoint } from "#lib/domain/checkpoints/update-checkpoint";
import { parseCsv } from "#lib/engine/csv/parse";
import { callRoute, testContext } from "#testing/api";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import {
  base64,
  createScenario,
  getScenario,
  postScenario,
  type TrainedProject,
  train,
} from "#testing/scenario-factory";
import { createUpstreamProjects, savedCheckpoint } from "#testing/upstream-projects";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

await createTestDatabase();
const ctx = testContext();
const { weather, demand, sales } = await createUpstreamProjects();

async function readRows({ projectId, as }: TrainedProject, scenarioId: string): Promise<PredictionRow[]> {
  return (await callRoute<PredictionRow[]>(predictionsRoute, { params: { projectId, scenarioId }, as })).data;
}

async function inputOf({ projectId, as }: TrainedProject, scenarioId: string) {
  const { text } = await callRoute(predictionsRoute, {
    params: { projectId, scenarioId },
    as,
    headers: { accept: "text/csv" },
  });
  const { table } = parseCsv(text);
  return new Map(
    table.columns.map((column) => [column.name, Array.from((column as { values: Float64Array }).values)]),
  );
}

describe("upstream features", () => {
  it("are the pinned upstream checkpoint's predictions for the same times, on every level", async () => {
    const [weatherPin, demandPin] = [await savedCheckpoint(weather), await savedCheckpoint(demand)];
    const endDate = "2023-08-20";
    const dependentProjectCheckpoints = { [weather.projectId]: weatherPin, [demand.projectId]: demandPin };
    const scenario = await createScenario(sales, { endDate, dependentProjectCheckpoints });
    const input = await inputOf(sales, scenario.id);

    const ofDemand = await createScenario(demand, {
      endDate,
      checkpointId: demandPin,
      dependentProjectCheckpoints: { [weather.projectId]: weatherPin },
    });
    const demandRows = await readRows(demand, ofDemand.id);
    expect(input.get("predicted_demand")).toEqual(demandRows.map(({ prediction }) => prediction));

    const ofWeather = await createScenario(weather, { endDate, checkpointId: weatherPin });
    const weatherRows = await readRows(weather, ofWeather.id);
    expect((await inputOf(demand, ofDemand.id)).get("predicted_temp")).toEqual(
      weatherRows.map(({ prediction }) => prediction),
    );
  });

  it("use the pinned model version even if the upstream project has another current model", async () => {
    const pinned = await savedCheckpoint(weather);
    const body = { endDate: "2023-08-15", dependentProjectCheckpoints: { [weather.projectId]: pinned } };
    const checkpointId = await savedCheckpoint(demand);
    const before = await createScenario(demand, { ...body, checkpointId });
    await train(weather.projectId, {
      algorithm: "gradient_boosting",
      features: { lags: [] },
      hyperparameters: { rounds: 20 },
    });
    const after = await createScenario(demand, { ...body, checkpointId });
    expect(after.summary).toEqual(before.summary);
    const onNew = await createScenario(demand, {
      ...body,
      checkpointId,
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    expect(onNew.summary).not.toEqual(before.summary);
  });

  it("depend on every level: another checkpoint of the first project changes the third, and a newer default gives a warning", async () => {
    const [older, demandPin] = [await savedCheckpoint(weather), await savedCheckpoint(demand)];
    const run = (weatherPin: string, checkpointId?: string) =>
      createScenario(sales, {
        endDate: "2023-08-15",
        ...(checkpointId && { checkpointId }),
        dependentProjectCheckpoints: { [weather.projectId]: weatherPin, [demand.projectId]: demandPin },
      });
    const before = await run(older);
    const main = before.checkpointId!;
    expect((await run(older, main)).summary).toEqual(before.summary);
    const warned = async () => {
      const { data } = await callRoute<Prediction>(predictRoute, {
        params: { projectId: sales.projectId },
        as: sales.as,
        body: { checkpointId: main, input: { day: ["2023-08-10"], promo: [1], price: [6] } },
      });
      return data.warnings.filter(({ code }) => code === "newer_upstream_default");
    };
    expect(await warned()).toEqual([]);
    await train(weather.projectId, {
      algorithm: "gradient_boosting",
      features: { lags: [] },
      hyperparameters: { rounds: 5 },
    });
    const newer = await savedCheckpoint(weather);
    await updateCheckpoint(ctx, { projectId: weather.projectId, checkpointId: newer, setAsDefault: true });
    const after = await run(newer, main);
    expect(after.summary).not.toEqual(before.summary);
    expect(after.stalePins.map(({ projectId }) => projectId)).not.toContain(weather.projectId);
    expect((await getScenario(sales, before.id)).stalePins).toContainEqual({
      projectId: weather.projectId,
      checkpointId: older,
      label: expect.any(String),
      defaultCheckpointId: newer,
      defaultLabel: expect.any(String),
    });
    expect(await warned()).toEqual([expect.objectContaining({ message: expect.stringContaining(newer) })]);
  });

  it("of a CSV are computed for its known and later times, unless the CSV contains them", async () => {
    const dependentProjectCheckpoints = { [weather.projectId]: await savedCheckpoint(weather) };
    const checkpointId = await savedCheckpoint(demand);
    // From known days, across the end of the data, to days after a gap.
    const list = ["2023-07-30", "2023-08-08", "2023-08-09", "2023-08-20"];
    const file = `date,price\n${list.map((day) => `${day},6`).join("\n")}\n`;
    const computed = await createScenario(demand, {
      checkpointId,
      fileData: base64(file),
      dependentProjectCheckpoints,
    });
    const temps = (await inputOf(demand, computed.id)).get("predicted_temp")!;
    expect(temps.every(Number.isFinite)).toBe(true);

    const withTemps = `date,price,predicted_temp\n${list.map((day, i) => `${day},6,${temps[i]}`).join("\n")}\n`;
    const given = await createScenario(demand, {
      checkpointId,
      fileData: base64(withTemps),
      dependentProjectCheckpoints,
    });
    // Back-tests measured the widths for computed inputs apart from those for given ones.
    const { meanInterval: _, sumInterval: __, ...predicted } = computed.summary!;
    expect(predicted.generatedShare).not.toBeNull();
    expect(given.summary).toMatchObject({ ...predicted, generatedShare: null });
    expect(given.warnings).toContainEqual(
      expect.objectContaining({ code: "upstream_given", column: "predicted_temp" }),
    );
  });

  it("are copied by a what-if scenario on the same checkpoints, and computed again on other checkpoints", async () => {
    const [first, checkpointId] = [await savedCheckpoint(weather), await savedCheckpoint(demand)];
    const base = await createScenario(demand, {
      checkpointId,
      dependentProjectCheckpoints: { [weather.projectId]: first },
    });
    const adjusted: Scenario = await createScenario(demand, {
      checkpointId,
      baseScenarioId: base.id,
      adjustments: [{ feature: "predicted_temp", operation: "add", value: 3 }],
      dependentProjectCheckpoints: { [weather.projectId]: first },
    });
    const [before, after] = [await inputOf(demand, base.id), await inputOf(demand, adjusted.id)];
    expect(after.get("predicted_temp")).toEqual(before.get("predicted_temp")!.map((value) => value + 3));
    await train(weather.projectId, { algorithm: "ridge", features: { lags: [], calendar: true } });
    const elsewhere = await createScenario(demand, {
      checkpointId,
      baseScenarioId: base.id,
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    const anew = (await inputOf(demand, elsewhere.id)).get("predicted_temp");
    expect(anew?.length).toBe(base.rowCount);
    expect(anew).not.toEqual(before.get("predicted_temp"));
  });

  it("that cannot be computed are rejected with a remedy", async () => {
    await createModel({ projectId: weather.projectId });
    const answer = await postScenario(demand, {
      dependentProjectCheckpoints: { [weather.projectId]: null },
    });
    expect([answer.status, answer.error?.code]).toEqual([400, "input_invalid"]);
    expect(answer.error?.details).toContainEqual(
      expect.objectContaining({ column: "predicted_temp", code: "missing_column" }),
    );
    await train(weather.projectId, { algorithm: "ridge", features: { lags: [], calendar: true } });
  });
});
