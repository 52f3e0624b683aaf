import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accidentalDeaths, airPassengers, internetUsers } from "#testing/classic-series";
import { fitMethod, METHODS, methodOf, methodText, startFilter } from "./methods.ts";

function forecast(method: (typeof METHODS)[number], values: Float64Array, seasons: number[], steps: number) {
  const { parameters, skipped } = fitMethod(method, values, seasons)!;
  const filter = startFilter(parameters);
  for (const value of values.subarray(skipped)) filter.update(value);
  return [...filter.forecast(steps).values];
}

// Methods for certain targets, such as TSB, have separate tests.
describe.each(METHODS.filter((method) => methodOf(method).suits === undefined))("%s", (method) => {
  test("gives the same bits for the same series, and after its parameters were stored as JSON", () => {
    const fitted = () => fitMethod(method, airPassengers, [12])!;
    expect(JSON.stringify(fitted())).toBe(JSON.stringify(fitted()));
    const stored = JSON.parse(JSON.stringify(fitted().parameters));
    const [own, other] = [startFilter(fitted().parameters), startFilter(stored)];
    for (const value of airPassengers) {
      own.update(value);
      other.update(value);
    }
    expect(other.forecast(24)).toEqual(own.forecast(24));
  });

  test("continues trend and season of airline passengers", () => {
    const [train, test_] = [airPassengers.subarray(0, 132), airPassengers.subarray(132)];
    forecast(method, train, [12], 12).forEach((value, i) => {
      expect(Math.abs(value / test_[i]! - 1)).toBeLessThan(0.15);
    });
  });

  test("gives finite forecasts for any series, with gaps", () => {
    const value = fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN));
    fc.assert(
      fc.property(fc.array(value, { minLength: 10, maxLength: 60 }), (list) => {
        const values = Float64Array.from([1, ...list]);
        const fit = fitMethod(method, values, [4]);
        if (fit === null) return;
        const filter = startFilter(fit.parameters);
        for (const one of values) filter.update(one);
        expect(filter.forecast(8).values.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

test("names what was chosen as forecasters write it", () => {
  const text = (method: (typeof METHODS)[number], values: Float64Array, seasons: number[]) =>
    methodText(fitMethod(method, values, seasons)!.parameters);
  expect(text("ets", internetUsers, [])).toBe("ETS(A,Ad,N)");
  expect(text("arima", internetUsers, [])).toBe("ARIMA(1,1,1)");
  expect(text("stl_ets", accidentalDeaths, [12])).toMatch(/^STL\(12\) \+ ETS\(A,/);
  expect(text("theta", airPassengers, [12])).toBe("Theta, seasonally adjusted");
});

test("fits no season that is longer than the observations around a long gap", () => {
  const day = [4, 1, 3, 8];
  const observations = Float64Array.from({ length: 60 }, (_, i) => day[i % 4]! + (i % 3) / 10);
  const values = new Float64Array(2_000).fill(Number.NaN);
  values.set(observations.subarray(0, 10));
  values.set(observations.subarray(10), values.length - 50);
  const { parameters } = fitMethod("stl_ets", values, [4, 28, 365])!;
  expect(methodText(parameters)).toMatch(/^STL\(4, 28\)/);
});
