import { expect, test } from "vitest";
import type { InputFeature } from "#lib/contract/models";
import { model } from "#testing/recorded-answers";
import { changeableInputs } from "./changeable-inputs.ts";

const feature = (change: Partial<InputFeature>): InputFeature => ({ ...model.inputFeatures[0]!, ...change });

test("offers neither times nor columns that name series", () => {
  const features = [
    feature({ name: "day", type: "timestamp", role: "timestamp" }),
    feature({ name: "opened", type: "timestamp", role: "input" }),
    feature({ name: "store", type: "category", role: "input" }),
    feature({ name: "price", type: "number", role: "input" }),
    feature({ name: "upstream", type: "number", role: "upstream" }),
  ];
  const names = (columns: string[]) =>
    changeableInputs(
      features,
      columns.map((name) => ({ name })),
    ).map(({ name }) => name);
  expect(names([])).toEqual(["store", "price", "upstream"]);
  expect(names(["store"])).toEqual(["price", "upstream"]);
});
