import { describe, expect, it } from "vitest";
import { TrainModel } from "#lib/contract/train-model";
import { dataset, model } from "#testing/recorded-answers";
import {
  chosenSettings,
  directionsOrUnset,
  formerHorizon,
  lagsOrUnset,
  numberOrUnset,
  trainIssue,
} from "./train-settings.ts";

describe("chosenSettings", () => {
  it("sends an empty request without changes", () => {
    const untouched = {
      algorithm: undefined,
      features: {
        lags: undefined,
        rolling: [],
        calendar: true,
        inputs: false,
        holidays: { country: undefined },
      },
      hyperparameters: { rounds: undefined, earlyStopping: true },
      validation: { fraction: undefined },
    } as unknown as TrainModel;
    expect(chosenSettings(untouched)).toEqual({});
  });

  it("sends holidays with the country and an optional region", () => {
    const sent = (holidays: object) => chosenSettings({ features: { holidays } } as TrainModel);
    expect(sent({ country: "US", region: undefined })).toEqual({ features: { holidays: { country: "US" } } });
    expect(sent({ country: "US", region: "WA" })).toEqual({
      features: { holidays: { country: "US", region: "WA" } },
    });
    expect(sent({ country: undefined, region: "WA" })).toEqual({});
  });

  it("sends the changed settings in the API's format", () => {
    const request = chosenSettings({
      algorithm: "ridge",
      features: {
        lags: [1, 24],
        calendar: false,
        inputs: true,
        rolling: [{ window: 7, shift: 1, statistic: "mean" }],
      },
      hyperparameters: { alpha: 0, earlyStopping: false },
      validation: { fraction: 0.1 },
      seed: 0,
    });
    expect(TrainModel.parse(request)).toEqual({
      algorithm: "ridge",
      features: {
        lags: [1, 24],
        calendar: false,
        inputs: true,
        rolling: [{ window: 7, shift: 1, statistic: "mean" }],
      },
      hyperparameters: { alpha: 0, earlyStopping: false },
      validation: { fraction: 0.1 },
      seed: 0,
    });
  });
});

it("proposes the former horizon only for rows as far apart as those of the training", () => {
  const trained = { ...model, request: { horizon: 14 } };
  const hourly = { ...dataset, frequency: "PT1H" };
  expect(formerHorizon([{ ...trained, datasetFrequency: dataset.frequency }], dataset)).toBe(14);
  expect(formerHorizon([{ ...trained, datasetFrequency: dataset.frequency }], hourly)).toBeUndefined();
  const { datasetFrequency: _, ...older } = trained;
  expect(formerHorizon([older], hourly)).toBe(14);
  expect(formerHorizon([{ ...trained, request: {} }], dataset)).toBeUndefined();
  expect(formerHorizon([], dataset)).toBeUndefined();
  const imported = { ...trained, request: null };
  expect(formerHorizon([imported, { ...trained, datasetFrequency: dataset.frequency }], dataset)).toBe(14);
});

describe("fields", () => {
  it("distinguish an empty field from an invalid number", () => {
    expect(numberOrUnset(" ")).toBeUndefined();
    expect(numberOrUnset("0.5")).toBe(0.5);
    expect(numberOrUnset("many")).toBeNaN();
    expect(lagsOrUnset("1, 24;168")).toEqual([1, 24, 168]);
    expect(lagsOrUnset("")).toBeUndefined();
    expect(TrainModel.safeParse({ features: { lags: lagsOrUnset("1, x") } }).success).toBe(false);
  });

  it("have readable error messages", () => {
    const messages = (settings: object) =>
      TrainModel.safeParse(settings, { error: trainIssue }).error?.issues.map(({ message }) => message);
    expect(messages({ horizon: Number.NaN })).toEqual(["Use a number"]);
    expect(messages({ horizon: 1.5 })).toEqual(["Use a whole number"]);
    expect(messages({ horizon: 0 })).toEqual(["Use a number of at least 1"]);
  });
});

describe("directionsOrUnset", () => {
  it("parses directions by column, and passes invalid ones to the schema", () => {
    expect(directionsOrUnset(" ")).toBeUndefined();
    expect(directionsOrUnset("price: decreasing, a:b : increasing")).toEqual({
      price: "decreasing",
      "a:b": "increasing",
    });
    const monotone = directionsOrUnset("price");
    expect(TrainModel.safeParse({ hyperparameters: { monotone } }).error?.issues[0]?.path).toEqual([
      "hyperparameters",
      "monotone",
      "price",
    ]);
  });
});
