import { describe, expect, it } from "vitest";
import { TrainModel } from "#lib/contract/train-model";
import {
  chosenSettings,
  directionsOrUnset,
  lagsOrUnset,
  numberOrUnset,
  trainFault,
} from "./train-settings.ts";

describe("chosenSettings", () => {
  it("sends an empty request where nothing was changed", () => {
    const untouched = {
      algorithm: undefined,
      features: { lags: undefined, rolling: [], calendar: true, holidays: { country: undefined } },
      hyperparameters: { rounds: undefined, earlyStopping: true },
      validation: { fraction: undefined },
    } as unknown as TrainModel;
    expect(chosenSettings(untouched)).toEqual({});
  });

  it("sends holidays with the country, and with a region where one is written", () => {
    const sent = (holidays: object) => chosenSettings({ features: { holidays } } as TrainModel);
    expect(sent({ country: "US", region: undefined })).toEqual({ features: { holidays: { country: "US" } } });
    expect(sent({ country: "US", region: "WA" })).toEqual({
      features: { holidays: { country: "US", region: "WA" } },
    });
    expect(sent({ country: undefined, region: "WA" })).toEqual({});
  });

  it("sends what was changed, in the shape of the contract", () => {
    const request = chosenSettings({
      algorithm: "ridge",
      features: { lags: [1, 24], calendar: false, rolling: [{ window: 7, shift: 1, statistic: "mean" }] },
      hyperparameters: { alpha: 0, earlyStopping: false },
      validation: { fraction: 0.1 },
      seed: 0,
    });
    expect(TrainModel.parse(request)).toEqual({
      algorithm: "ridge",
      features: { lags: [1, 24], calendar: false, rolling: [{ window: 7, shift: 1, statistic: "mean" }] },
      hyperparameters: { alpha: 0, earlyStopping: false },
      validation: { fraction: 0.1 },
      seed: 0,
    });
  });
});

describe("fields", () => {
  it("tell what is empty from what is no number", () => {
    expect(numberOrUnset(" ")).toBeUndefined();
    expect(numberOrUnset("0.5")).toBe(0.5);
    expect(numberOrUnset("many")).toBeNaN();
    expect(lagsOrUnset("1, 24;168")).toEqual([1, 24, 168]);
    expect(lagsOrUnset("")).toBeUndefined();
    expect(TrainModel.safeParse({ features: { lags: lagsOrUnset("1, x") } }).success).toBe(false);
  });

  it("are told in plain words what is wrong with them", () => {
    const messages = (settings: object) =>
      TrainModel.safeParse(settings, { error: trainFault }).error?.issues.map(({ message }) => message);
    expect(messages({ horizon: Number.NaN })).toEqual(["Write a number"]);
    expect(messages({ horizon: 1.5 })).toEqual(["Write a whole number"]);
    expect(messages({ horizon: 0 })).toEqual(["Write a number of at least 1"]);
  });
});

describe("directionsOrUnset", () => {
  it("reads directions by column, and leaves what is none to the schema", () => {
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
