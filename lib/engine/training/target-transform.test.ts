import { expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { TrainModel } from "#lib/contract/train-model";
import { checkFiles } from "#lib/engine/inference/check-files";
import { loadModel } from "#lib/engine/inference/load-model";
import { jsonFile, readJson } from "#lib/engine/inference/model-files";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { gaussian } from "#testing/gaussian";
import { fitModel } from "./fit-model.ts";

const DAY = 86_400_000;
const STEPS = 28;
const ROWS = 400;

/** Days with a trend of 60 per 400 days and a step where the input passes 10. */
function trending(): Table {
  const noise = gaussian(3);
  const days = Array.from({ length: ROWS + STEPS }, (_, day) => {
    const x = 10 + 4 * noise();
    return { x, y: 100 + 0.15 * day + (x > 10 ? 10 : 0) + noise() };
  });
  const column = (name: string, of: (day: number) => number): Column => ({
    name,
    type: name === "time" ? "timestamp" : "number",
    values: Float64Array.from(days, (_, day) => of(day)),
  });
  const columns = [
    column("time", (day) => day * DAY),
    column("x", (day) => days[day]!.x),
    column("y", (day) => days[day]!.y),
  ];
  return { rowCount: ROWS + STEPS, columns };
}

test("boosting on a trend learns differences to the recent level, follows the trend, and explains its predictions", async () => {
  const table = trending();
  const { files, summary } = await fitModel({
    table: sliceRows(table, 0, ROWS),
    target: "y",
    timestamp: "time",
    request: { algorithm: "gradient_boosting", horizon: STEPS },
  });
  expect(summary.leaderboard[0]!.settings).toMatchObject({ targetTransform: "difference" });
  const model = await loadModel(async (name) => files.get(name)!);
  const later = sliceRows(table, ROWS);
  const include = { contributions: true, intervals: true };
  const { predictions, contributions, intervals } = await model.predict(selectColumns(later, ["time", "x"]), {
    include,
  });
  const actual = numericValues(later, "y");
  const error = actual.reduce((sum, value, row) => sum + Math.abs(value - predictions[row]!), 0) / STEPS;
  // The level alone moves by 4 over the horizon, and the input by 10.
  expect(error).toBeLessThan(4);
  contributions!.values.forEach((values, row) => {
    const sum = values.reduce((all, value) => all + value, contributions!.baseValue);
    expect(sum).toBeCloseTo(predictions[row]!, 6);
  });
  expect(intervals!.lower.every((value, row) => value < predictions[row]!)).toBe(true);
});

test("the file of a model of differences is checked: one coefficient of the level for each model input", async () => {
  const { files } = await fitModel({
    table: sliceRows(trending(), 0, ROWS),
    target: "y",
    timestamp: "time",
    request: {
      algorithm: "gradient_boosting",
      horizon: STEPS,
      features: { lags: [28], rolling: [{ window: 7, shift: 28, statistic: "mean" }] },
      hyperparameters: { targetTransform: "difference", rounds: 20, earlyStopping: false },
    },
  });
  expect(() => checkFiles(files)).not.toThrow();
  const learner = readJson<{ base: { coefficients: number[] } }>(files.get("learner.json")!);
  learner.base.coefficients.pop();
  const wrong = new Map([...files, ["learner.json", jsonFile(learner)] as const]);
  expect(() => checkFiles(wrong)).toThrow("learner.json is wrong at base.coefficients");
  const linked = new Map([
    ...files,
    ["learner.json", jsonFile({ ...readJson<object>(files.get("learner.json")!), link: "exp" })] as const,
  ]);
  expect(() => checkFiles(linked)).toThrow("learner.json is wrong at base: use it only without a link");
});

test("differences without a window of the mean are rejected, by the field of the request", () => {
  const hyperparameters = { targetTransform: "difference" };
  const windowOf = (statistic: string) => ({ rolling: [{ window: 7, shift: 7, statistic }] });
  const issues = (features: object) =>
    TrainModel.safeParse({ features, hyperparameters }).error?.issues.map(({ path }) => path.join(".")) ?? [];
  for (const features of [{ lags: [1] }, { rolling: [] }, windowOf("max")])
    expect(issues(features)).toEqual(["hyperparameters.targetTransform"]);
  for (const features of [{}, windowOf("mean")]) expect(issues(features)).toEqual([]);
});

test("differences without a regular series are rejected", async () => {
  const { columns, rowCount } = sliceRows(trending(), 0, ROWS);
  const request = { hyperparameters: { targetTransform: "difference" as const } };
  const table = { rowCount, columns: columns.filter(({ name }) => name !== "time") };
  await expect(fitModel({ table, target: "y", timestamp: null, request })).rejects.toThrow(
    "there is no window of the mean",
  );
});
