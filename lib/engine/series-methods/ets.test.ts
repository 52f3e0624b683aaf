import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accidentalDeaths, airPassengers, internetUsers } from "#testing/classic-series";
import { type EtsForm, etsFilter, fitEts } from "./ets.ts";

/** Forecasts the steps after the whole series. */
function forecast(values: Float64Array, season: number, steps: number, forms?: EtsForm[]): Float64Array {
  const filter = etsFilter(fitEts(values, season, forms)!.parameters);
  for (const value of values) filter.update(value);
  return filter.forecast(steps);
}

/** Output of `ets()` of R's forecast package, version 8. */
const references = [
  {
    name: "accidental deaths",
    ...{
      values: accidentalDeaths,
      season: 12,
      logLikelihood: -555.07,
      form: ["additive", "none", "additive"],
    },
    expected: [8397.5, 7599.22, 8396.59, 8646.51, 9443.41, 9893.06],
  },
  {
    name: "airline passengers",
    ...{ values: airPassengers, season: 12, logLikelihood: -679.58 },
    form: ["multiplicative", expect.stringMatching(/additive|damped/), "multiplicative"],
    expected: [441.8, 434.12, 496.63, 483.24, 483.99, 551.02],
  },
  {
    name: "internet users",
    ...{ values: internetUsers, season: 1, logLikelihood: -352.87, form: ["additive", "damped", "none"] },
    expected: [218.37, 217.04, 215.95, 215.07, 214.35],
  },
];

describe("fitEts", () => {
  test.each(references)(
    "chooses and fits the same form as R or one with a higher likelihood: $name",
    (reference) => {
      const { values, season, logLikelihood, form, expected } = reference;
      const fit = fitEts(values, season)!;
      const { error, trend, season: repeated } = fit.parameters.form;
      expect([error, trend, repeated]).toEqual(form);
      expect(fit.logLikelihood).toBeGreaterThan(logLikelihood - 0.1);
      forecast(values, season, expected.length).forEach((value, i) => {
        expect(Math.abs(value / expected[i]! - 1)).toBeLessThan(0.02);
      });
    },
  );

  test("returns null for too few observations, and for zeros only", () => {
    expect(fitEts(Float64Array.of(1, 2, 3), 1)).toBeNull();
    expect(fitEts(new Float64Array(30), 1)).toBeNull();
  });

  test("finds the parameters of a simulated series", () => {
    const level = { error: "additive", trend: "none", season: "none" } as const;
    const noise = Float64Array.from({ length: 900 }, (_, i) => Math.sin(i * i * 12.9898 + i) * 3);
    let state = 100;
    const values = noise.map((error) => {
      const value = state + error;
      state += 0.3 * error;
      return value;
    });
    const { alpha } = fitEts(values, 1, [level])!.parameters;
    expect(alpha).toBeGreaterThan(0.2);
    expect(alpha).toBeLessThan(0.4);
  });

  test("continues from a snapshot as from the full series", () => {
    const { parameters } = fitEts(airPassengers, 12)!;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 143 }), (cut) => {
        const whole = etsFilter(parameters);
        for (const value of airPassengers) whole.update(value);
        const before = etsFilter(parameters);
        for (const value of airPassengers.subarray(0, cut)) before.update(value);
        const after = etsFilter(before.snapshot() as typeof parameters);
        for (const value of airPassengers.subarray(cut)) after.update(value);
        expect(after.forecast(24)).toEqual(whole.forecast(24));
      }),
      { numRuns: 20 },
    );
  });

  test("scales with the unit of the values", () => {
    const thousands = forecast(airPassengers, 12, 6);
    const single = forecast(
      airPassengers.map((value) => value * 1000),
      12,
      6,
    );
    single.forEach((value, i) => {
      expect(value / 1000).toBeCloseTo(thousands[i]!, 3);
    });
  });
});
