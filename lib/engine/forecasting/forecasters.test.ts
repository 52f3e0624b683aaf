import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUSINESS_DAY } from "#lib/contract/duration-text";
import { stepMs } from "#lib/engine/features/frequency";
import { createGrid } from "#lib/engine/features/grid";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { calendarSeasons, chooseForecaster } from "./choose-forecaster.ts";
import { smoothingForecaster } from "./exponential-smoothing.ts";
import type { FeatureSeries } from "./forecaster.ts";
import { driftForecaster, naiveForecaster } from "./forecasters.ts";
import { knownSeries } from "./known-series.ts";
import { naiveForecast, rowIndexes } from "./naive-forecast.ts";
import { calendarMeans, seasonalWaves, withOffset } from "./profiles.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2023, 0, 1);

const series = (values: Float64Array, stepMs: number, ahead: number): FeatureSeries => ({
  values,
  instants: Float64Array.from({ length: values.length + ahead }, (_, i) => START + i * stepMs),
  timezone: "Europe/Berlin",
});

describe("forecasters", () => {
  const ways = (of: FeatureSeries) => [
    naiveForecaster(24, "day"),
    driftForecaster(),
    smoothingForecaster({ steps: 24, name: "day" }),
    withOffset(calendarMeans(of, ["hour"]), 6),
    withOffset(seasonalWaves(of, { day: true, week: true }), 24),
  ];

  test("read no values after the forecast origin, and return finite numbers", () => {
    const value = fc.option(fc.double({ min: -50, max: 50, noNaN: true }), { nil: Number.NaN, freq: 9 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 60, maxLength: 150 }), fc.nat({ max: 40 }), (all, cut) => {
        const length = all.length - cut;
        const values = Float64Array.from(all);
        const other = values.map((one, at) => (at < length ? one : 1e6));
        const forecasts = (from: Float64Array) => {
          const of = series(from, HOUR, 30);
          return ways(of).map(({ forecast }) => forecast(of, length, 30));
        };
        fc.pre(values.subarray(0, length).some((one) => !Number.isNaN(one)));
        expect(forecasts(other)).toEqual(forecasts(values));
        // A time of day without known values has no seasonal naive value.
        for (const forecast of forecasts(values).slice(1)) expect(forecast.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("waves follow a daily amplitude that grows towards summer, where monthly means jump", () => {
    const length = 460 * 24;
    const truth = (i: number) => {
      const year = Math.cos((2 * Math.PI * (START + i * HOUR)) / (365.25 * DAY));
      return 10 - 8 * year + (3 - 2 * year) * Math.sin((2 * Math.PI * i) / 24);
    };
    const of = series(
      Float64Array.from({ length }, (_, i) => truth(i)),
      HOUR,
      336,
    );
    const error = (profile: ReturnType<typeof seasonalWaves>) =>
      Math.max(
        ...withOffset(profile, 24)
          .forecast(of, length, 336)
          .map((value, i) => Math.abs(value - truth(length + i))),
      );
    const smooth = error(seasonalWaves(of, { day: true, week: false }));
    expect(smooth).toBeLessThan(0.6);
    expect(error(calendarMeans(of, ["month", "hour"]))).toBeGreaterThan(1.5 * smooth);
  });

  test("exponential smoothing continues a series with trend and season", () => {
    const random = seededRandom(2);
    const value = (i: number) => 100 + 2 * i + 30 * Math.sin((2 * Math.PI * i) / 12) + random.next();
    const month = 30.4375 * DAY;
    const of = series(
      Float64Array.from({ length: 96 }, (_, i) => value(i)),
      month,
      12,
    );
    const { forecaster, error, origins } = chooseForecaster(of, 12, calendarSeasons(month), false);
    expect(forecaster.method).toBe("exponential smoothing, damped trend, season of one year");
    expect(origins).toBeGreaterThan(8);
    // The value of the last season would be wrong by 24.
    expect(error).toBeLessThan(12);
  });

  test("the same time last year has the same weekday for business days", () => {
    const grid = { frequency: BUSINESS_DAY, timezone: "UTC", start: Date.UTC(2018, 0, 1) };
    const { timeAt } = createGrid(grid);
    const random = seededRandom(4);
    const year = Float64Array.from({ length: 52 * 5 }, () => random.next());
    const values = Float64Array.from({ length: 3 * year.length }, (_, i) => year[i % year.length]!);
    const instants = Float64Array.from({ length: values.length + 20 }, (_, i) => timeAt(i));
    const of = { values, instants, timezone: "UTC" };
    const seasons = calendarSeasons(stepMs(grid.frequency));
    const { forecaster, error } = chooseForecaster(of, 20, seasons, false);
    expect(forecaster.method).toBe("same time last year");
    expect(error).toBe(0);
  });
});

test("knownSeries places an irregular series on its grid: late rows in their cells, empty gaps, days of 23 and 25 hours", () => {
  const grid = { frequency: "P1D", timezone: "Europe/Berlin", start: Date.UTC(2024, 1, 29, 23) };
  const { timeAt } = createGrid(grid);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat({ max: 300 }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat({ max: 22 * HOUR }), { minLength: 40, maxLength: 40 }),
      (days, late) => {
        // Clocks change on days 30 and 240.
        const table = {
          rowCount: days.length,
          columns: [
            {
              name: "at",
              type: "timestamp" as const,
              values: Float64Array.from(days, (day, i) => timeAt(day) + late[i]!),
            },
            { name: "y", type: "number" as const, values: Float64Array.from(days) },
          ],
        };
        const known = knownSeries(table, { timestamp: "at", target: "y", grid });
        expect(known.firstIndex).toBe(Math.min(...days));
        expect(known.end).toBe(Math.max(...days) + 1);
        known.observed.forEach((value, i) => {
          const day = known.firstIndex + i;
          expect(value).toBe(days.includes(day) ? day : Number.NaN);
        });
      },
    ),
    { numRuns: 40 },
  );
});

test("the naive forecast places two rows of one cell in that cell", () => {
  const hours = [0, 1, 2, 3, 4, 4.5, 5, 6];
  const table = {
    rowCount: hours.length,
    columns: [
      { name: "at", type: "timestamp" as const, values: Float64Array.from(hours, (hour) => hour * HOUR) },
      { name: "y", type: "number" as const, values: Float64Array.from(hours) },
    ],
  };
  const grid = { frequency: "PT1H", timezone: "UTC", start: 0 };
  const known = knownSeries(table, { timestamp: "at", target: "y", grid });
  const indexes = rowIndexes(known, hours.length);
  expect([...indexes]).toEqual([0, 1, 2, 3, 4, 4, 5, 6]);
  const forecast = naiveForecast(known, indexes, { season: 1, horizon: 1 });
  expect([...forecast.subarray(1)]).toEqual([0, 1, 2, 3, 3, 4.5, 5]);
});
