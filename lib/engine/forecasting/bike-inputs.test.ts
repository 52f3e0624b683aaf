import { expect, test } from "vitest";
import { seasonalNaive } from "#lib/engine/learners/seasonal-naive";
import { numericValues } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { hasBikeHours, readBikeHours } from "#testing/bike-hours";
import { generateInputs } from "./generate-inputs.ts";

const HOUR = 3_600_000;
const STEPS = 14 * 24;
const ORIGINS = 4;
const features = ["temp", "atemp", "hum", "windspeed"];
const seasons = { day: 24, week: 7 * 24, year: 364 * 24 };

test.skipIf(!hasBikeHours())(
  "hourly weather: two weeks of generated inputs beat seasonal naive forecasts for at least three of four inputs",
  () => {
    const table = readBikeHours();
    const times = numericValues(table, "time");
    const start = times[0]!;
    const cells = (times.at(-1)! - start) / HOUR + 1;
    const errors = new Map(features.map((name) => [name, { generated: 0, day: 0, week: 0, year: 0 }]));
    // The last two weeks, and the same weeks eight, sixteen and twenty-four weeks earlier.
    for (let origin = 0; origin < ORIGINS; origin++) {
      const known = cells - STEPS - origin * 8 * 7 * 24;
      const history = sliceRows(
        table,
        0,
        times.findIndex((time) => time >= start + known * HOUR),
      );
      const grid = { frequency: "PT1H", timezone: "UTC", start };
      const generated = generateInputs(
        {
          state: { timestamp: "time", timezone: "UTC", grid, horizon: STEPS, lastTimestamp: null },
          inputFeatures: features.map((name) => ({ name, role: "input" as const })),
          history,
          heldOut: null,
        },
        { endDate: start + (known + STEPS - 1) * HOUR },
      );
      for (const name of features) {
        const series = new Float64Array(cells).fill(Number.NaN);
        times.forEach((time, row) => {
          series[(time - start) / HOUR] = numericValues(table, name)[row]!;
        });
        const error = (forecast: Float64Array) =>
          meanAbsolute(forecast, series.subarray(known, known + STEPS));
        const sums = errors.get(name)!;
        // Hours without a row before `known` are generated too.
        sums.generated += error(numericValues(generated.table, name).slice(-STEPS)) / ORIGINS;
        for (const [season, steps] of Object.entries(seasons) as ["day", number][]) {
          sums[season] += error(seasonalNaive(series.subarray(0, known), steps, STEPS)) / ORIGINS;
        }
      }
    }
    console.info(
      [...errors]
        .map(
          ([name, sums]) => `${name} ${Object.entries(sums).map(([way, sum]) => `${way} ${sum.toFixed(4)}`)}`,
        )
        .join("\n"),
    );
    const better = [...errors.values()].filter(
      ({ generated, day, week, year }) => generated < Math.min(day, week, year),
    );
    expect(better.length).toBeGreaterThanOrEqual(3);
  },
);

function meanAbsolute(forecast: Float64Array, actual: Float64Array): number {
  const differences = actual.map((value, i) => Math.abs(value - forecast[i]!)).filter((one) => one >= 0);
  return differences.reduce((sum, one) => sum + one, 0) / differences.length;
}
