import type { Column } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { parseCsv } from "#lib/engine/csv/parse";
import { createGrid } from "#lib/engine/features/grid";
import { loadModel } from "#lib/engine/inference/load-model";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { airQuality, seatbelts } from "#testing/series-with-inputs";
import { effectsBesideArima, type Sample } from "./effects.ts";
import { type Benchmark, mean, type Skipped } from "./harness.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";

const ORIGINS = 6;
const REGRESSION: TrainModel = { algorithm: "ridge", features: { lags: [] } };
const METHODS: TrainModel = { algorithm: "combination", features: { inputs: false } };

/**
 * Compares the model that is chosen for a series with known inputs with a plain regression and with series methods
 * alone. Each model is trained before the same origins, one horizon apart, and gets the true inputs of the steps after.
 */
export const forecastsWithInputs: Benchmark = async function* ({ quick, log }) {
  const rows: string[][] = [];
  const bikes = bikesByDay();
  if ("skipped" in bikes) yield bikes;
  const measured = [...samples(), ...("skipped" in bikes ? [] : [bikes])];
  for (const sample of measured) {
    const origins = quick ? 1 : ORIGINS;
    const { error, models } = await backTest(sample, {}, origins);
    const regression = await backTest(sample, REGRESSION, origins);
    const methods = await backTest(sample, METHODS, origins);
    const errors = [error, regression.error, methods.error].map((value) => value.toPrecision(4));
    rows.push([sample.name, `${origins} × ${sample.horizon}`, ...errors, models]);
    log(`  ${rows.at(-1)!.join("  ")}`);
  }
  yield {
    what: "series with known inputs",
    table: {
      title: "Mean absolute error on series with known inputs",
      titles: ["series", "origins × steps", "chosen", "regression", "methods", "chosen models"],
      rows,
    },
  };
  yield await effectsBesideArima(quick ? measured.slice(0, 1) : measured, log);
};

async function backTest({ table, target, frequency, horizon }: Sample, request: TrainModel, origins: number) {
  const errors: number[] = [];
  const models = new Map<string, number>();
  for (let origin = origins; origin >= 1; origin--) {
    const cut = table.rowCount - origin * horizon;
    const { files, summary } = await fitModel({
      table: sliceRows(table, 0, cut),
      target,
      timestamp: "time",
      frequency,
      request: { ...request, horizon },
    });
    const model = await loadModel(async (name) => files.get(name)!);
    const test = sliceRows(table, cut, cut + horizon);
    const inputs = test.columns.map(({ name }) => name).filter((name) => name !== target);
    const { predictions } = await model.predict(selectColumns(test, inputs));
    numericValues(test, target).forEach((value, i) => {
      errors.push(Math.abs(value - predictions[i]!));
    });
    const usesInputs = summary.inputFeatures.some(({ role }) => role !== "timestamp");
    const name = usesInputs ? summary.algorithm : `${summary.algorithm} without inputs`;
    models.set(name, (models.get(name) ?? 0) + 1);
  }
  return {
    error: mean(errors),
    models: [...models].map(([name, count]) => `${count} × ${name}`).join(", "),
  };
}

function samples(): Sample[] {
  const { start, drivers, driversKilled, front, kms, petrolPrice, law } = seatbelts;
  const month = { start, frequency: "P1M", horizon: 12, inputs: { kms, petrolPrice, law } };
  const { ozone, solar, wind, temperature } = airQuality;
  return [
    sampleOf({ ...month, name: "Seatbelts (R), drivers", target: drivers }),
    sampleOf({ ...month, name: "Seatbelts (R), drivers killed", target: driversKilled }),
    sampleOf({ ...month, name: "Seatbelts (R), front seats", target: front }),
    sampleOf({
      name: "airquality (R), ozone",
      target: ozone,
      inputs: { solar, wind, temperature },
      start: airQuality.start,
      frequency: "P1D",
      horizon: 7,
    }),
  ];
}

function sampleOf({
  target,
  inputs,
  start,
  ...rest
}: Omit<Sample, "table" | "target"> & {
  target: readonly number[];
  inputs: Record<string, readonly number[]>;
  start: number;
}): Sample {
  const { timeAt } = createGrid({ frequency: rest.frequency, timezone: "UTC", start });
  const columns = [
    { name: "time", type: "timestamp" as const, values: Float64Array.from(target, (_, i) => timeAt(i)) },
    ...Object.entries({ target, ...inputs }).map(([name, values]): Column => {
      return { name, type: "number", values: Float64Array.from(values) };
    }),
  ];
  const known = Int32Array.from(target.keys()).filter((row) => Number.isFinite(target[row]!));
  return { ...rest, target: "target", table: takeRows({ rowCount: target.length, columns }, known) };
}

/** Returns the bike rentals by day: their sums, and the means of the weather. */
function bikesByDay(): Sample | Skipped {
  const name = "bike rentals by day";
  const bytes = bikeRentals();
  if (bytes === null) return { what: name, skipped: sampleDataHint };
  const { table } = parseCsv(bytes, { exclude: ["dteday"], timestamp: null });
  // The file numbers its hours; some are missing. A day starts where the hour falls.
  const hours = numericValues(table, "hr");
  let day = -1;
  const days = hours.map((hour, row) => (row === 0 || hour < hours[row - 1]! ? ++day : day));
  const counts = new Float64Array(day + 1);
  for (const at of days) counts[at]!++;
  const byDay = (column: string, divide: boolean) => {
    const sums = new Float64Array(day + 1);
    numericValues(table, column).forEach((value, row) => {
      sums[days[row]!]! += value;
    });
    return Array.from(sums, (sum, at) => (divide ? sum / counts[at]! : sum));
  };
  const inputs = ["temp", "hum", "windspeed", "weathersit", "holiday", "workingday"];
  return sampleOf({
    name,
    start: Date.UTC(2011, 0, 1),
    frequency: "P1D",
    horizon: 28,
    target: byDay("cnt", false),
    inputs: Object.fromEntries(inputs.map((input) => [input, byDay(input, true)])),
  });
}
