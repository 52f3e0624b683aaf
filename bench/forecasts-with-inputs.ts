import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { InputEffect } from "#lib/contract/input-effects";
import type { Column, Table } from "#lib/contract/table";
import { parseCsv } from "#lib/engine/csv/parse";
import { createGrid } from "#lib/engine/features/grid";
import { loadModel } from "#lib/engine/inference/load-model";
import { dropColumns, numericValues, selectColumns } from "#lib/engine/table/columns";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { csvOfTable } from "#testing/csv-of-table";
import { airQuality, seatbelts } from "#testing/series-with-inputs";
import { type Benchmark, mean, type Skipped, temporaryFolder } from "./harness.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";

const ORIGINS = 6;
const SCRIPT = path.join(import.meta.dirname, "arima.R");

/** A series with the timestamp column `time`. */
type Sample = { name: string; target: string; frequency: string; horizon: number; table: Table };

/**
 * Compares the model that is chosen for a series with known inputs with R's auto.arima(): errors, and the learned effects
 * of the inputs. Both learn before the same origins, one horizon apart, and get the true inputs of the steps after.
 */
export const forecastsWithInputs: Benchmark = async function* ({ quick, log }) {
  const bikes = bikesByDay();
  if ("skipped" in bikes) yield bikes;
  const errors: string[][] = [];
  const effects: string[][] = [];
  for (const sample of [...samples(), ...("skipped" in bikes ? [] : [bikes])].slice(
    0,
    quick ? 1 : undefined,
  )) {
    const origins = quick ? 1 : ORIGINS;
    const { error, models } = await backTest(sample, origins);
    const theirs = backTestArima(sample, origins);
    if (!theirs) yield { what: sample.name, skipped: "Rscript with the package forecast is not installed" };
    const both = [error, ...(theirs ? [theirs.error] : [])].map((value) => value.toPrecision(4));
    errors.push([sample.name, `${origins} × ${sample.horizon}`, both[0]!, both[1] ?? "–", models]);
    log(`  ${errors.at(-1)!.join("  ")}`);
    if (theirs) effects.push(...(await effectsOf(sample, theirs.coefficients)));
  }
  const table = { title: "Mean absolute error on series with known inputs", rows: errors };
  const titles = ["series", "origins × steps", "ours", "auto.arima()", "chosen models"];
  yield { what: "series with known inputs", table: { ...table, titles } };
  const effectTitles = ["series", "change", "learned effect", "auto.arima()"];
  yield { what: "effects", table: { title: "Effects of inputs", titles: effectTitles, rows: effects } };
};

async function backTest({ table, target, frequency, horizon }: Sample, origins: number) {
  const errors: number[] = [];
  const models = new Map<string, number>();
  for (let origin = origins; origin >= 1; origin--) {
    const cut = table.rowCount - origin * horizon;
    const known = sliceRows(table, 0, cut);
    const { files, summary } = await fitModel({
      table: known,
      target,
      timestamp: "time",
      frequency,
      request: { horizon },
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

/** Returns the error, and a coefficient for each input; null without R. */
function backTestArima({ table, target, frequency, horizon }: Sample, origins: number) {
  using folder = temporaryFolder();
  const file = path.join(folder.path, "rows.csv");
  writeFileSync(file, csvOfTable(dropColumns(table, ["time"])));
  const sizes = [frequency === "P1M" ? 12 : 7, origins, horizon].map(String);
  const { status, stdout } = spawnSync("Rscript", [SCRIPT, file, target, ...sizes], { encoding: "utf8" });
  if (status !== 0) return null;
  const [error, ...coefficients] = stdout.trim().split("\n").map(Number);
  return { error: error!, coefficients };
}

/** Returns rows of sign and size of the effects that the chosen model learned, beside those of the coefficients. */
async function effectsOf({ name, table, target, frequency, horizon }: Sample, coefficients: number[]) {
  const { summary } = await fitModel({ table, target, timestamp: "time", frequency, request: { horizon } });
  const inputs = table.columns.map((column) => column.name).filter((one) => one !== "time" && one !== target);
  return (summary.effects ?? []).map((effect) => {
    const { operation, value } = effect.change;
    const [scale, sign] = effect.unit === "percent" ? [100 / meanOf(table, target), "%"] : [1, ""];
    const theirs = coefficients[inputs.indexOf(effect.feature)]! * changeOf(effect, table) * scale;
    const change = `${effect.feature} ${{ add: "+", multiply: "× ", set: "= " }[operation]}${value}`;
    return [name, change, ...[effect.effect, theirs].map((one) => one.toPrecision(3) + sign)];
  });
}

/** Returns the mean change of the input in its unit. */
function changeOf({ feature, change: { operation, value } }: InputEffect, table: Table): number {
  return operation === "multiply" ? (value - 1) * meanOf(table, feature) : value;
}

function meanOf(table: Table, name: string): number {
  return mean([...numericValues(table, name)].filter((value) => !Number.isNaN(value)));
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
