import { describe, expect, test } from "vitest";
import { accidentalDeaths, airPassengers, internetUsers, lakeHuron, nile } from "#testing/classic-series";
import { arimaFilter, fitArima } from "./arima.ts";
import { type ArimaFit, fitOrder } from "./arima-order.ts";

function forecast({ parameters }: ArimaFit, values: Float64Array, steps: number): number[] {
  const filter = arimaFilter(parameters);
  for (const value of values) filter.update(value);
  return [...filter.forecast(steps).values];
}

const order = { p: 0, d: 0, q: 0, P: 0, D: 0, Q: 0, steps: 1 };
const airline = { ...order, d: 1, q: 1, D: 1, Q: 1, steps: 12 };

// Output of R 4.2.2. Both programs stop the search near the maximum, so 3 to 4 digits agree.
describe("fitOrder agrees with R's documented examples of arima(), and with predict()", () => {
  test("Lake Huron, (2,0,0) with a mean", () => {
    const fit = fitOrder(lakeHuron, { ...order, p: 2 }, true, { exact: true })!;
    expect(fit.coefficients.ar[0]).toBeCloseTo(1.0436, 3);
    expect(fit.coefficients.ar[1]).toBeCloseTo(-0.2495, 3);
    expect(fit.coefficients.mean).toBeCloseTo(579.0473, 3);
    expect(fit.logLikelihood).toBeCloseTo(-103.63, 2);
    expect(fit.sigma2).toBeCloseTo(0.4788, 4);
    const expected = [579.7896, 579.5942, 579.4329, 579.3133, 579.2287, 579.1702];
    expect(forecast(fit, lakeHuron, 6)).toEqual(expected.map((value) => expect.closeTo(value, 3)));
  });

  test("accidental deaths, (0,1,1)(0,1,1)[12]", () => {
    const fit = fitOrder(accidentalDeaths, airline, false, { exact: true })!;
    expect(fit.coefficients.ma[0]).toBeCloseTo(-0.4303, 3);
    expect(fit.coefficients.seasonalMa[0]).toBeCloseTo(-0.5528, 3);
    expect(fit.logLikelihood).toBeCloseTo(-425.44, 2);
    const expected = [8336.06, 7531.83, 8314.64, 8616.87, 9488.91, 9859.76];
    forecast(fit, accidentalDeaths, 6).forEach((value, i) => {
      expect(Math.abs(value - expected[i]!)).toBeLessThan(0.1);
    });
  });

  test("logarithms of airline passengers, (0,1,1)(0,1,1)[12]", () => {
    const fit = fitOrder(airPassengers.map(Math.log), airline, false, { exact: true })!;
    expect(fit.coefficients.ma[0]).toBeCloseTo(-0.4018, 3);
    expect(fit.coefficients.seasonalMa[0]).toBeCloseTo(-0.5569, 3);
    expect(fit.sigma2).toBeCloseTo(0.001348, 5);
    const expected = [6.110186, 6.053775, 6.171715, 6.1993, 6.232556, 6.368779];
    expect(forecast(fit, airPassengers.map(Math.log), 6)).toEqual(
      expected.map((value) => expect.closeTo(value, 5)),
    );
  });
});

describe("fitArima", () => {
  // Output of auto.arima() of forecast 8.20 in R 4.2.2.
  test.each([
    {
      name: "WWWusage",
      values: internetUsers,
      season: 1,
      order: { p: 1, d: 1, q: 1 },
      coefficients: { ar: [0.650376], ma: [0.5255959] },
      expected: [218.8804967, 218.1523987, 217.6788612, 217.3708838, 217.1705828, 217.0403117],
    },
    {
      name: "Nile",
      values: nile,
      season: 1,
      order: { p: 1, d: 1, q: 1 },
      coefficients: { ar: [0.2543714], ma: [-0.8741364] },
      expected: [816.1812759, 835.5596115, 840.4889052, 841.7427764, 842.0617254, 842.1428569],
    },
    {
      name: "USAccDeaths",
      values: accidentalDeaths,
      season: 12,
      order: { p: 0, d: 1, q: 1, P: 0, D: 1, Q: 1, steps: 12 },
      coefficients: { ma: [-0.4302692], seasonalMa: [-0.5527913] },
      expected: [8336.061266, 7531.829141, 8314.64376, 8616.868756, 9488.912522, 9859.75736],
    },
    {
      name: "AirPassengers",
      values: airPassengers,
      season: 12,
      order: { p: 2, d: 1, q: 1, P: 0, D: 1, Q: 0, steps: 12 },
      coefficients: { ar: [0.5959807, 0.2142746], ma: [-0.9818772] },
      expected: [445.6349014, 420.3949965, 449.1983163, 491.8399485, 503.3944798, 566.8624553],
    },
  ])(
    "chooses the order of R's auto.arima($name), with its coefficients and forecasts",
    ({ values, season, order, coefficients, expected }) => {
      const fit = fitArima(values, season)!;
      expect(fit.parameters.order).toMatchObject(order);
      for (const [name, numbers] of Object.entries(coefficients)) {
        expect(fit.coefficients[name as keyof typeof coefficients]).toEqual(
          numbers.map((value) => expect.closeTo(value, 3)),
        );
      }
      forecast(fit, values, 6).forEach((value, i) => {
        expect(Math.abs(value / expected[i]! - 1)).toBeLessThan(1e-4);
      });
    },
  );

  test("repeats a constant, and returns null for three values", () => {
    expect(forecast(fitArima(new Float64Array(20).fill(7), 1)!, new Float64Array(20).fill(7), 3)).toEqual([
      7, 7, 7,
    ]);
    expect(fitArima(Float64Array.of(1, 5, 2), 1)).toBeNull();
  });

  test("continues from a snapshot as from the full series, also over a gap", () => {
    const { parameters } = fitArima(accidentalDeaths, 12)!;
    const values = accidentalDeaths.slice();
    values.fill(Number.NaN, 40, 43);
    const whole = arimaFilter(parameters);
    for (const value of values) whole.update(value);
    for (const cut of [0, 5, 13, 41, 60]) {
      const before = arimaFilter(parameters);
      for (const value of values.subarray(0, cut)) before.update(value);
      const stored = JSON.parse(JSON.stringify(before.snapshot()));
      const after = arimaFilter(stored);
      for (const value of values.subarray(cut)) after.update(value);
      expect(after.forecast(12)).toEqual(whole.forecast(12));
    }
    expect(whole.forecast(12).values.every(Number.isFinite)).toBe(true);
  });
});
