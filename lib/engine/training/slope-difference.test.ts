import { describe, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { readJson } from "#lib/engine/inference/model-files";
import { calibrationOf } from "#lib/engine/intervals/calibration-file";
import type { Growth } from "#lib/engine/intervals/growth";
import { gaussian } from "#testing/gaussian";
import { fitModel } from "./fit-model.ts";

const DAY = 86_400_000;
const ROWS = 300;

/** Days of a target with an input. Each function receives the number of the day and normal noise. */
function daily(y: (day: number, noise: number) => number, x?: (day: number) => number, rows = ROWS): Table {
  const noise = gaussian(7);
  const column = (name: string, of: (day: number) => number): Column => ({
    name,
    type: name === "time" ? "timestamp" : "number",
    values: Float64Array.from({ length: rows }, (_, day) => of(day)),
  });
  const columns = [
    column("time", (day) => day * DAY),
    column("y", (day) => y(day, noise())),
    ...(x ? [column("x", x)] : []),
  ];
  return { rowCount: rows, columns };
}

/** Trains a model and returns the growth of its half widths. */
async function growthOf(table: Table, request: TrainModel): Promise<Growth> {
  const { files } = await fitModel({ table, target: "y", timestamp: "time", request });
  return calibrationOf(readJson(files.get("calibration.json")!))!.growth!;
}

/** Trains a model and returns the part of the slope that far steps add to the half width. */
async function storedGap(table: Table, request: TrainModel): Promise<number> {
  return (await growthOf(table, { ...request, horizon: 14 })).slopeGap!;
}

describe("the slope that far forecasts of a model with lags leave out", () => {
  const withLags: TrainModel = { algorithm: "ridge", features: { lags: [1, 7], rolling: [] } };
  const line = (day: number, noise: number) => 100 + 0.1 * day + noise;

  test("is that of a line, which a repeated season does not continue", async () => {
    const gap = await storedGap(daily(line), { algorithm: "seasonal_naive" });
    expect(gap).toBeGreaterThan(0.09);
    expect(gap).toBeLessThan(0.11);
  });

  test("is half of that for the drift method, which continues one half", async () => {
    const gap = await storedGap(daily(line), { algorithm: "drift" });
    expect(gap).toBeGreaterThan(0.04);
    expect(gap).toBeLessThan(0.06);
  });

  test("is positive for a regression that returns to the mean", async () => {
    expect(await storedGap(daily(line), withLags)).toBeGreaterThan(0.02);
  });

  test("is small where the inputs explain the slope", async () => {
    const x = (day: number) => 0.05 * day + Math.sin(day);
    const gap = await storedGap(
      daily((day, noise) => 100 + 2 * x(day) + noise, x),
      withLags,
    );
    expect(gap).toBeLessThan(0.02);
  });

  test("is small for a series without a slope", async () => {
    expect(
      await storedGap(
        daily((_, noise) => 100 + noise),
        withLags,
      ),
    ).toBeLessThan(0.002);
  });
});

test("errors of a method that continues a trend are expected to grow faster", async () => {
  // Two steps hardly show how errors grow, so most of the expected power remains.
  const powerOf = async (slope: number) => {
    const table = daily((day, noise) => 100 + slope * day + noise, undefined, 16);
    return (await growthOf(table, { algorithm: "ets", horizon: 2 })).stepPower;
  };
  const [trend, flat] = [await powerOf(5), await powerOf(0)];
  expect(trend).toBeGreaterThan(0.65);
  expect(trend).toBeLessThan(0.85);
  expect(flat).toBeGreaterThan(0.35);
  expect(flat).toBeLessThan(0.6);
});
