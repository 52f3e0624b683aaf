import { describe, expect, test } from "vitest";
import { accidentalDeaths, airPassengers, internetUsers, nile } from "#testing/classic-series";
import { classicalSeason } from "./season.ts";
import { fitTheta, type ThetaParameters, thetaFilter } from "./theta.ts";

function forecast(parameters: ThetaParameters, values: Float64Array, steps: number): Float64Array {
  const filter = thetaFilter(parameters);
  for (const value of values) filter.update(value);
  return filter.forecast(steps).values;
}

function expectClose(values: Float64Array, expected: readonly number[], tolerance: number) {
  values.forEach((value, i) => {
    expect(Math.abs(value / expected[i]! - 1)).toBeLessThan(tolerance);
  });
}

// Output of forecTheta 3.0, the package of the method's authors, in R 4.2.2.
describe("the dynamic Theta model agrees with forecTheta", () => {
  const fixed = [
    {
      name: "AirPassengers",
      values: airPassengers,
      season: 12,
      expected: [446.4982843, 434.8598591, 497.3688523, 483.3995752, 487.6841023, 554.7670542],
    },
    {
      name: "WWWusage",
      values: internetUsers,
      season: 1,
      expected: [220.5970212, 221.0291804, 221.4758447, 221.9361234, 222.4091804, 222.8942303],
    },
    {
      name: "Nile",
      values: nile,
      season: 1,
      expected: [783.0115147, 781.3837864, 779.7575058, 778.1329394, 776.5103331, 774.8899137],
    },
    {
      name: "USAccDeaths",
      values: accidentalDeaths,
      season: 12,
      expected: [8149.399608, 7398.890192, 8200.559474, 8429.859732, 9313.817567, 9729.939385],
    },
  ];
  test.each(fixed)("dotm($name) with given parameters", ({ values, season, expected }) => {
    // The same recursions: all printed digits agree.
    const parameters: ThetaParameters = {
      method: "theta",
      alpha: 0.3,
      theta: 2.5,
      level: values[0]!,
      count: 0,
      mean: 0,
      intercept: 0,
      slope: 0,
      season: season > 1 ? classicalSeason(values, season) : null,
    };
    expectClose(forecast(parameters, values, 6), expected, 1e-8);
  });

  const optimised = [
    {
      // With the bounds of `fitTheta`: theta ends at the upper one.
      name: "AirPassengers",
      values: airPassengers,
      season: 12,
      alpha: 0.724905,
      theta: 29.9996,
      expected: [442.8509811, 432.1720566, 495.2785948, 482.3197561, 487.5504087, 555.6971614],
    },
    {
      name: "USAccDeaths",
      values: accidentalDeaths,
      season: 12,
      alpha: 0.53185,
      theta: 1.214428,
      expected: [8269.745009, 7511.409437, 8328.710755, 8564.968548, 9466.653998, 9893.159057],
    },
    {
      name: "Nile",
      values: nile,
      season: 1,
      alpha: 0.246687,
      theta: 1,
      expected: [804.9958266, 804.9958249, 804.9958232, 804.9958215, 804.9958199, 804.9958182],
    },
  ];
  test.each(optimised)("dotm($name) with its parameters", ({ values, season, alpha, theta, expected }) => {
    // Both searches stop near the minimum: three digits of the parameters, four of the forecasts.
    const fit = fitTheta(values, season)!;
    expect(fit.alpha).toBeCloseTo(alpha, 3);
    expect(fit.theta / theta).toBeCloseTo(1, 3);
    expectClose(forecast(fit, values, 6), expected, 1e-4);
  });
});

// Output of thetaf() of forecast 8.20 in R 4.2.2.
describe("the classical Theta method agrees with thetaf()", () => {
  const references = [
    {
      name: "AirPassengers",
      values: airPassengers,
      season: 12,
      expected: [440.0781911, 428.3842806, 489.7070987, 475.7046277, 479.6703887, 545.3662722],
    },
    {
      name: "WWWusage",
      values: internetUsers,
      season: 1,
      expected: [220.3096281, 220.619025, 220.928422, 221.2378189, 221.5472158, 221.8566128],
    },
    {
      name: "USAccDeaths",
      values: accidentalDeaths,
      season: 12,
      expected: [8270.693806, 7508.923867, 8322.124807, 8554.143505, 9450.092974, 9870.93362],
    },
  ];
  test.each(references)("$name", ({ values, season, expected }) => {
    // thetaf() smooths without the line, and forecasts with a fixed drift. The dynamic model with theta 2 is near it.
    expectClose(forecast(fitTheta(values, season, 2)!, values, 6), expected, 0.003);
  });
});
