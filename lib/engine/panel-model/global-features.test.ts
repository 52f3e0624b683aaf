import { expect, it } from "vitest";
import { featureCount, featureWriter, planFeatures } from "./global-features.ts";

const times = Float64Array.from({ length: 200 }, (_, week) => Date.UTC(2022, 0, 3) + week * 7 * 86_400_000);
const weekly = planFeatures({ season: 52, seasons: [52], horizon: 13, times, categories: [], reach: 10_000 });

it("reads recent weeks, not recent years, for weekly rows", () => {
  expect(weekly.windows).toEqual([4, 16, 52]);
});

it("reads only values before the origin", () => {
  const observed = (from: number) => ({
    firstIndex: 0,
    values: Float64Array.from({ length: 120 }, (_, at) => (at < from ? at % 7 : 1_000)),
  });
  const featuresOf = (values: ReturnType<typeof observed>) => {
    const columns = Array.from({ length: featureCount(weekly) }, () => new Float32Array(1));
    const write = featureWriter(weekly, { observed: values, scale: 1, codes: new Float32Array() }, [() => 1]);
    const unit = write({ index: 105, origin: 100, instant: times[105]! }, columns, 0);
    return { unit, values: columns.map(([value]) => value) };
  };
  expect(featuresOf(observed(100))).toEqual(featuresOf(observed(120)));
});
