import { beforeAll, describe, expect, it } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { openModel } from "#lib/domain/models/open-model";
import { requestTraining } from "#lib/domain/models/request-training";
import { servingModel } from "#lib/domain/models/serving-model";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { parseCsv } from "#lib/engine/csv/parse";
import { readForFeatures } from "#lib/engine/csv/read-for-features";
import { callRoute, createKey, createProject, type TestKey, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobsHere } from "#testing/run-jobs";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import { POST } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";

const { db } = await createTestDatabase();
const ctx = testContext();
const base64 = (text: string) => Buffer.from(text).toString("base64");

async function trainedProject(
  csv: string,
  settings: { target: string; timestamp?: string | string[]; categories?: string[] },
  request: Parameters<typeof requestTraining>[1]["request"],
  dependencies: { projectId: string; featureName: string }[] = [],
) {
  const { id: projectId } = await createProject();
  await putDataset(ctx, { projectId, fileData: base64(csv), ...settings });
  if (dependencies.length > 0) await setDependencies(ctx, { projectId, dependencies });
  await requestTraining(ctx, { projectId, request });
  expect(await runJobsHere(projectId)).toMatchObject([{ status: "Completed", errorMessage: null }]);
  return { projectId, as: await createKey({ projectId }) };
}

type Target = { projectId: string; as: TestKey };
const predict = ({ projectId, as }: Target, body: unknown) =>
  callRoute<Prediction>(POST, { params: { projectId }, as, body });

/** Rentals by date and hour, weather (a category) and temperature. */
function rentals(): string {
  const rows = Array.from({ length: 400 }, (_, at) => {
    const date = new Date(Date.UTC(2024, 0, 1) + at * 3_600_000);
    const temp = 10 + 5 * Math.sin(at / 40);
    const sky = ["1", "2", "3"][Math.floor(at / 5) % 3]!;
    const count = 3 * date.getUTCHours() + 2 * temp + (sky === "3" ? -8 : 4) + ((at * 13) % 5);
    const day = `${date.getUTCMonth() + 1}/${date.getUTCDate()}/2024`;
    return `${day},${date.getUTCHours()},${sky},${at % 9 === 0 ? "" : temp.toFixed(4)},${count.toFixed(2)}`;
  });
  return `day,hr,sky,temp,count\n${rows.join("\n")}\n`;
}

describe("POST predict", () => {
  let project: Target;
  const input = { day: ["1/18/2024", "1/18/2024"], hr: [3, 17], sky: ["1", "3"], temp: [9.5, null] };

  beforeAll(async () => {
    project = await trainedProject(
      rentals(),
      { target: "count", timestamp: ["day", "hr"], categories: ["sky"] },
      {
        algorithm: "gradient_boosting",
        hyperparameters: { rounds: 40 },
        features: { lags: [], rolling: [] },
      },
    );
  });

  it("returns predictions in the input's order, with intervals and contributions that add up", async () => {
    const answer = await predict(project, { input, include: ["intervals", "contributions"] });
    expect(answer.status).toBe(200);
    const { predictions, intervals, contributions } = answer.data;
    expect(answer.data).toMatchObject({ rowCount: 2, checkpointId: null, target: "count", warnings: [] });
    expect(predictions[1]! - predictions[0]!).toBeGreaterThan(15);
    expect(intervals?.level).toBe(0.9);
    predictions.forEach((prediction, row) => {
      expect(intervals!.lower[row]).toBeLessThan(prediction);
      expect(intervals!.upper[row]).toBeGreaterThan(prediction);
      const sum = contributions!.values[row]!.reduce(
        (total, value) => total + value,
        contributions!.baseValue,
      );
      expect(sum).toBeCloseTo(prediction, 9);
    });
    expect(contributions!.features).toContain("temp");
    const swapped = { day: [...input.day], hr: [17, 3], sky: ["3", "1"], temp: [null, 9.5] };
    const turned = await predict(project, { input: swapped });
    expect(turned.data.predictions).toEqual(predictions.toReversed());
    expect(turned.data).not.toHaveProperty("intervals");
  });

  it("returns bit-identical values for the same rows in a CSV, and for complete timestamps instead of date and hour", async () => {
    const { data } = await predict(project, { input });
    const serving = await servingModel(db, project.projectId);
    const model = await openModel(serving!.artifactKey);
    for (const csv of [
      "hr,temp,sky,day\n3,9.5,1,1/18/2024\n17,,3,1/18/2024\n",
      "day,sky,temp\n2024-01-18T03:00:00Z,1,9.5\n2024-01-18T17:00:00Z,3,\n",
    ]) {
      const { inputFeatures, inputFormat } = model;
      const read = await readForFeatures(async (how) => parseCsv(csv, how), inputFeatures, inputFormat);
      expect(read.check.issues).toEqual([]);
      expect([...(await model.predict(read.file.table)).predictions]).toEqual(data.predictions);
    }
    const whole = { day: ["2024-01-18T03:00:00Z", "2024-01-18T17:00:00Z"], sky: [1, 3], temp: [9.5, null] };
    expect((await predict(project, { input: whole })).data.predictions).toEqual(data.predictions);
  });

  it("warns of unknown features, of values outside the training range and of unseen categories", async () => {
    const { data } = await predict(project, {
      input: { ...input, temp: [99, 9], sky: ["1", "snow"], tmp: [1, 2], count: [5, 6] },
    });
    expect(data.predictions).toHaveLength(2);
    expect(data.warnings.map(({ code, column }) => `${code} ${column}`).sort()).toEqual([
      "outside_range temp",
      "unknown_column count",
      "unknown_column tmp",
      "unseen_category sky",
    ]);
  });

  it("reports every issue: unequal lengths, missing features, wrong types, invalid times", async () => {
    const answer = await predict(project, {
      input: {
        day: ["1/18/2024", "soon", "1/18/2024"],
        hr: [1, 2, 99],
        tmp: [1, "warm", 2],
        sky: ["1", "2"],
      },
    });
    expect([answer.status, answer.error?.code]).toEqual([400, "input_invalid"]);
    const named = answer.error?.details?.map(({ row, column, code }) => `${row} ${column} ${code}`).sort();
    expect(named).toEqual([
      "2 day not_a_timestamp",
      "3 hr invalid_hour",
      "null sky ragged_row",
      "null temp missing_column",
    ]);
    const types = await predict(project, { input: { ...input, temp: ["9.5", true] } });
    expect(types.error?.details).toMatchObject([
      { row: 1, column: "temp", value: "9.5", code: "not_a_number" },
      { row: 2, column: "temp", value: "true", code: "not_a_number" },
    ]);
    const missing = await predict(project, { input: { ...input, sky: ["1", null] } });
    expect(missing.error?.details).toMatchObject([{ row: 2, column: "sky", code: "missing_value" }]);
  });

  it("rejects an empty input, more than 10,000 rows, and a malformed body", async () => {
    const none = await predict(project, { input: { day: [], hr: [], sky: [], temp: [] } });
    expect(none.error).toMatchObject({ code: "input_invalid", details: [{ code: "no_rows" }] });
    expect((await predict(project, { input: {} })).error?.code).toBe("input_invalid");
    const many = { ...input, day: new Array(10_001).fill("1/18/2024"), hr: new Array(10_001).fill(1) };
    const filled = { ...many, sky: new Array(10_001).fill("1"), temp: new Array(10_001).fill(1) };
    const answer = await predict(project, { input: filled });
    expect(answer.error).toMatchObject({ code: "input_invalid", details: [{ code: "too_many_rows" }] });
    expect((await predict(project, { inputs: input })).error?.code).toBe("validation_failed");
    expect((await predict(project, { input: { temp: 1 } })).error?.code).toBe("validation_failed");
  });

  it("uses the given checkpoint, else the default, else the current model; without any returns no_trained_model", async () => {
    const { projectId } = project;
    const accepted = await createCheckpoint(ctx, { projectId, label: "First" });
    await runJobsHere(projectId);
    const byDefault = await predict(project, { input });
    expect(byDefault.data.checkpointId).toBe(accepted.checkpointId);
    const named = await predict(project, { input, checkpointId: accepted.checkpointId.toUpperCase() });
    expect(named.data).toEqual(byDefault.data);
    const unknown = await predict(project, { input, checkpointId: projectId });
    expect([unknown.status, unknown.error?.code]).toEqual([404, "checkpoint_not_found"]);
    const empty = await createProject();
    const untrained = { projectId: empty.id, as: await createKey({ projectId: empty.id }) };
    const rejected = await predict(untrained, { input });
    expect([rejected.status, rejected.error?.code]).toEqual([400, "no_trained_model"]);
    const foreign = await predict({ projectId, as: untrained.as }, { input });
    expect([foreign.status, foreign.error?.code]).toEqual([404, "project_not_found"]);
  });
});

describe("upstream features", () => {
  it("are computed from the rows if the input omits them, with the same values", async () => {
    const weather = await trainedProject(
      dailyTemperature(200),
      { target: "temp", timestamp: "day" },
      { algorithm: "ridge", features: { lags: [], rolling: [] } },
    );
    const demand = await trainedProject(
      dailyDemand(200),
      { target: "demand", timestamp: "date" },
      { algorithm: "ridge", features: { lags: [], rolling: [] } },
      [{ projectId: weather.projectId, featureName: "temperature" }],
    );
    const days = ["2023-07-20", "2023-07-21"];
    const upstream = await predict(weather, { input: { day: days } });
    const input = { date: days, price: [6, 7] };
    const carried = await predict(demand, { input: { ...input, temperature: upstream.data.predictions } });
    const computed = await predict(demand, { input });
    expect(computed.status).toBe(200);
    expect(computed.data.predictions).toEqual(carried.data.predictions);
    const warmer = upstream.data.predictions.map((value) => value + 5);
    const changed = await predict(demand, { input: { ...input, temperature: warmer } });
    expect(changed.data.predictions).not.toEqual(carried.data.predictions);
  });

  it("are reported as missing, with the reason, if the input lacks their inputs", async () => {
    const rows = Array.from({ length: 60 }, (_, at) => `${at % 7},${(at * 5) % 11},${at}`);
    const source = await trainedProject(
      `a,b,y\n${rows.join("\n")}\n`,
      { target: "y" },
      { algorithm: "ridge" },
    );
    const other = rows.map((row, at) => `${row},${at * 2}`);
    const user = await trainedProject(
      `a,b,c,z\n${other.join("\n")}\n`,
      { target: "z" },
      { algorithm: "ridge" },
      [{ projectId: source.projectId, featureName: "forecast" }],
    );
    const input = { a: [1], b: [2], c: [3] };
    expect((await predict(user, { input })).status).toBe(200);
    const answer = await predict(user, { input: { a: [1], c: [3] } });
    expect(answer.error?.code).toBe("input_invalid");
    expect(answer.error?.details?.map(({ column }) => column)).toEqual(["b", "forecast"]);
    expect(answer.error?.details?.[1]?.message).toContain('needs "b"');
  });
});
