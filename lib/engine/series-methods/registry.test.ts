import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SeriesFilter, type SeriesMethod, withoutSeason } from "./series-method.ts";

type LastParameters = { method: "last"; value: number };

/** Repeats the last value. */
const lastMethod: SeriesMethod<LastParameters> = {
  name: "last",
  work: 10,
  schema: (zod) => zod.strictObject({ method: zod.literal("last"), value: zod.number() }),
  fit: ([value = 0]) => ({ method: "last", value }),
  start(parameters): SeriesFilter {
    let { value } = parameters;
    return {
      update: (next) => {
        if (!Number.isNaN(next)) value = next;
      },
      forecast: (steps) => withoutSeason(new Float64Array(steps).fill(value)),
      snapshot: () => ({ ...parameters, value }),
    };
  },
  text: () => "Last value",
};

// Other files share the modules of this one, and must not see the method.
beforeAll(() => {
  vi.resetModules();
});
afterAll(() => {
  vi.resetModules();
});

test("a registered method with an entry is trained, named, described, stored, checked and served", async () => {
  const { algorithms } = await import("#lib/contract/algorithms");
  const entry = { label: "Last value", kind: "series", description: "repeats a value" };
  Object.assign(algorithms, { last: entry });
  const { registered } = await import("./registry.ts");
  registered.push(lastMethod as never);
  // These modules read the registry when they load.
  const { fitModel } = await import("#lib/engine/training/fit-model");
  const { load, number } = await import("#testing/sales-model");
  const { modelNameOf } = await import("#lib/engine/inference/learner");
  const { TrainModel } = await import("#lib/contract/train-model");
  const { LearnerSchema } = await import("#lib/engine/inference/learner-schema");
  const times = (from: number, count: number) => ({
    name: "year",
    type: "timestamp" as const,
    values: Float64Array.from({ length: count }, (_, i) => Date.UTC(1980 + from + i, 0, 1)),
  });
  const values = Float64Array.from({ length: 24 }, (_, i) => 50 + i + 3 * Math.sin(i * i));
  const table = { rowCount: 24, columns: [times(0, 24), number("y", values)] };
  const fitted = await fitModel({ table, target: "y", timestamp: "year", frequency: "P1Y" });
  expect(fitted.summary.leaderboard[0]!.members!.map(({ name }) => name)).toContain("Last value");
  expect(modelNameOf({ family: "last" as never, set: { lags: [] } }, null)).toBe("Last value");
  expect(TrainModel.shape.algorithm.safeParse("last").error).toBeUndefined();
  expect(TrainModel.shape.algorithm.description).toContain("`last` repeats a value.");
  const file = JSON.parse(Buffer.from(fitted.files.get("learner.json")!).toString());
  expect(LearnerSchema.safeParse(file).error).toBeUndefined();
  const model = await load(fitted);
  const { predictions } = await model.predict({ rowCount: 3, columns: [times(24, 3)] });
  expect(predictions.every(Number.isFinite)).toBe(true);
});
