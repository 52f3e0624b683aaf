import { expect, test } from "vitest";
import { formatOf } from "./format-of.ts";

type Described = Parameters<typeof formatOf>[0];
type Known = Parameters<typeof formatOf>[1];

const features = [
  { name: "day", role: "timestamp" },
  { name: "price", role: "input" },
] as Described["inputFeatures"];
const told = {
  timestampColumns: ["at"],
  timezone: "UTC",
  dateOrder: null,
  missing: ["-"],
  numberFormats: [],
};

test("prefers the model's format, then that of the dataset", () => {
  const dataset = {
    timezone: "Europe/Berlin",
    dateOrder: "day-first",
    missing: ["?"],
    numberFormats: [],
    reading: null,
  } as unknown as Known;
  const own = { inputFeatures: features, featureEngineering: { inputFormat: told } } as unknown as Described;
  expect(formatOf(own, dataset)).toEqual(told);
  const silent = { inputFeatures: features, featureEngineering: {} } as unknown as Described;
  expect(formatOf(silent, dataset)).toEqual({ timestampColumns: ["day"], ...dataset });
  expect(formatOf({ ...silent, inputFeatures: [features[1]!] }, null)).toEqual({
    timestampColumns: null,
    timezone: "UTC",
    dateOrder: null,
    missing: [],
    numberFormats: [],
    reading: null,
  });
});
