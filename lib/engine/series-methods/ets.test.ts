import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accidentalDeaths, airPassengers, internetUsers, lakeHuron, nile } from "#testing/classic-series";
import { type EtsParameters, etsFilter, fitEts } from "./ets.ts";
import type { EtsForm } from "./ets-start.ts";

/** Forecasts the steps after the whole series. */
function forecast(values: Float64Array, season: number, steps: number, forms?: EtsForm[]): Float64Array {
  const filter = etsFilter(fitEts(values, season, forms)!.parameters);
  for (const value of values) filter.update(value);
  return filter.forecast(steps).values;
}

/** Output of `ets()` of R's forecast package, version 8. */
const references = [
  {
    name: "accidental deaths",
    values: accidentalDeaths,
    season: 12,
    logLikelihood: -555.07,
    form: ["additive", "none", "additive"],
    expected: [8397.5, 7599.22, 8396.59, 8646.51, 9443.41, 9893.06],
  },
  {
    name: "airline passengers",
    values: airPassengers,
    season: 12,
    logLikelihood: -679.58,
    form: ["multiplicative", expect.stringMatching(/additive|damped/), "multiplicative"],
    expected: [441.8, 434.12, 496.63, 483.24, 483.99, 551.02],
  },
  {
    name: "internet users",
    values: internetUsers,
    season: 1,
    logLikelihood: -352.87,
    form: ["additive", "damped", "none"],
    expected: [218.37, 217.04, 215.95, 215.07, 214.35],
  },
];

const form = (error: EtsForm["error"], trend: EtsForm["trend"], season: EtsForm["season"]): EtsForm => ({
  error,
  trend,
  season,
});

/**
 * Parameters, start and log likelihood that `ets(x, model)` of R 4.2.2 (forecast 8.20) prints, and its forecasts. The
 * season starts at the first observation: R prints it in reverse.
 */
const fitsOfR: {
  name: string;
  values: Float64Array;
  parameters: EtsParameters;
  logLikelihood: number;
  expected: number[];
}[] = [
  {
    name: 'ets(Nile, "ANN")',
    values: nile,
    parameters: {
      method: "ets",
      form: form("additive", "none", "none"),
      alpha: 0.2455338627,
      beta: 0,
      gamma: 0,
      phi: 1,
      level: 1110.6868599514,
      slope: 0,
      season: [],
    },
    logLikelihood: -726.39052,
    expected: [805.3812829, 805.3812829],
  },
  {
    name: 'ets(LakeHuron, "ANN")',
    values: lakeHuron,
    parameters: {
      method: "ets",
      form: form("additive", "none", "none"),
      alpha: 0.999899749,
      beta: 0,
      gamma: 0,
      phi: 1,
      level: 580.382389002,
      slope: 0,
      season: [],
    },
    logLikelihood: -195.3388674,
    expected: [579.959993, 579.959993],
  },
  {
    name: 'ets(WWWusage, "AAN", damped = TRUE)',
    values: internetUsers,
    parameters: {
      method: "ets",
      form: form("additive", "damped", "none"),
      alpha: 0.99989995634,
      beta: 0.99664387399,
      gamma: 0,
      phi: 0.8149580279,
      level: 90.35176744975,
      slope: -0.01728233784,
      season: [],
    },
    logLikelihood: -352.8654902,
    expected: [218.3663349, 217.0350687, 215.9501425, 215.0659733, 214.3454124, 213.7581856],
  },
  {
    name: 'ets(USAccDeaths, "ANA")',
    values: accidentalDeaths,
    parameters: {
      method: "ets",
      form: form("additive", "none", "additive"),
      alpha: 0.5945898908,
      beta: 0,
      gamma: 0.002028959954,
      phi: 1,
      level: 9248.36282413,
      slope: 0,
      season: [
        -739.05515278, -1537.79172434, -739.90042706, -489.5627132, 306.42121653, 756.09198129, 1683.23661061,
        970.73874487, -121.77102033, 218.29011467, -255.35275543, -51.34487483,
      ],
    },
    logLikelihood: -555.072335,
    expected: [8397.496909, 7599.220613, 8396.594687, 8646.509703, 9443.411945, 9893.064727],
  },
  {
    name: 'ets(AirPassengers, "MAM", damped = TRUE)',
    values: airPassengers,
    parameters: {
      method: "ets",
      form: form("multiplicative", "damped", "multiplicative"),
      alpha: 0.7095519162,
      beta: 0.02040891933,
      gamma: 0.0001004683097,
      phi: 0.9799999267,
      level: 120.9939355072,
      slope: 1.7705401971,
      season: [
        0.9058523729, 0.8868922872, 1.011030088, 0.9803820735, 0.9786127608, 1.1105001809, 1.2317985072,
        1.2203006972, 1.0592019298, 0.9216595984, 0.7993220283, 0.8944474757,
      ],
    },
    logLikelihood: -679.5832162,
    // From R's last state by the model's equation, (level + (φ + … + φʰ) · slope) · season. For this class of models,
    // forecast() 8.20 itself leaves out the first factor φ: 441.80, 434.12, 496.63.
    expected: [441.7692144, 434.0553596, 496.5229525, 483.100391, 483.8219953, 550.7960571],
  },
];

/** Computes the log likelihood of R: without the constants of the normal density. */
function logLikelihoodOf(parameters: EtsParameters, values: Float64Array): number {
  const filter = etsFilter(parameters);
  let [squares, logs] = [0, 0];
  for (const value of values) {
    const expected = filter.forecast(1).values[0]!;
    const scale = parameters.form.error === "multiplicative" ? expected : 1;
    squares += ((value - expected) / scale) ** 2;
    logs += Math.log(scale);
    filter.update(value);
  }
  return -0.5 * values.length * Math.log(squares) - logs;
}

describe.each(fitsOfR)("$name of R", ({ values, parameters, logLikelihood, expected }) => {
  test("gives R's likelihood and forecasts at R's parameters", () => {
    // R prints 10 digits; the recursions amplify their rounding.
    expect(logLikelihoodOf(parameters, values)).toBeCloseTo(logLikelihood, 4);
    const filter = etsFilter(parameters);
    for (const value of values) filter.update(value);
    filter.forecast(expected.length).values.forEach((value, i) => {
      expect(Math.abs(value / expected[i]! - 1)).toBeLessThan(1e-7);
    });
  });

  test("is fitted with at least R's likelihood", () => {
    const season = Math.max(1, parameters.season.length);
    const fit = fitEts(values, season, [parameters.form])!;
    expect(fit.logLikelihood).toBeGreaterThan(logLikelihood - 1e-4);
    // Flat likelihoods leave the parameters open, but not the forecasts.
    forecast(values, season, expected.length, [parameters.form]).forEach((value, i) => {
      expect(Math.abs(value / expected[i]! - 1)).toBeLessThan(0.01);
    });
    if (parameters.form.trend === "none" && season === 1) {
      expect(fit.parameters.alpha).toBeCloseTo(parameters.alpha, 3);
      expect(fit.parameters.level / parameters.level).toBeCloseTo(1, 3);
    }
  });
});

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
