import { parentPort } from "node:worker_threads";
import type { Column, Table } from "#lib/contract/table";
import { createGrid } from "#lib/engine/features/grid";
import { loadModel } from "#lib/engine/inference/load-model";
import { levelBounds, type PredictionsWithBounds } from "#lib/engine/intervals/levels";
import { squaredWidths } from "#lib/engine/intervals/shape";
import { sumBounds } from "#lib/engine/intervals/total-intervals";
import { fitModel } from "#lib/engine/training/fit-model";
import { LEVELS, type SampleSeries, type SeriesForecast } from "./forecasts.ts";

/** Arbitrary start, because the series have no dates. */
const START = Date.UTC(1990, 0, 1);

/** Trains a model of the series for its horizon, with the defaults of a user, and predicts the steps after its end. */
async function forecast({ frequency, horizon, train }: SampleSeries): Promise<SeriesForecast> {
  const started = process.threadCpuUsage();
  const length = train.length;
  const grid = createGrid({ frequency, timezone: "UTC", start: START });
  const timesAt = (from: number, count: number): Column => ({
    name: "time",
    type: "timestamp",
    values: Float64Array.from({ length: count }, (_, i) => grid.timeAt(from + i)),
  });
  const table: Table = {
    rowCount: length,
    columns: [timesAt(0, length), { name: "y", type: "number", values: Float64Array.from(train) }],
  };
  const { files } = await fitModel({
    table,
    target: "y",
    timestamp: "time",
    frequency,
    request: { horizon },
  });
  const { user, system } = process.threadCpuUsage(started);
  const seconds = (user + system) / 1e6;
  const model = await loadModel(async (name) => files.get(name)!);
  const next = { rowCount: horizon, columns: [timesAt(length, horizon)] };
  const { predictions, intervals } = await model.predict(next, { include: { intervals: true } });
  const { lower = null, upper = null, shape = null } = intervals ?? {};
  const predicted = { predictions, lower, upper, shape };
  return {
    predictions: [...predictions],
    lower: [...(intervals?.lower ?? [])],
    upper: [...(intervals?.upper ?? [])],
    levels: levelBounds(LEVELS, predicted).map((bounds) => ({
      level: bounds.level,
      lower: [...bounds.lower],
      upper: [...bounds.upper],
    })),
    sum: boundsOfSum(predicted),
    seconds,
  };
}

function boundsOfSum({ predictions, upper, shape }: PredictionsWithBounds): SeriesForecast["sum"] {
  if (upper === null || shape === null) return null;
  const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  const squares = sumOf(squaredWidths(predictions, upper));
  return sumBounds({ sum: sumOf(predictions), count: predictions.length, squaredWidths: squares }, shape);
}

parentPort?.on("message", (series: SampleSeries) => {
  forecast(series).then(
    (forecast) => parentPort?.postMessage(forecast),
    (error: Error) => parentPort?.postMessage({ failed: `${error.name}: ${error.message}` }),
  );
});
