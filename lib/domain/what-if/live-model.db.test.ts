import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { limits } from "#lib/contract/limits";
import type { LiveModelResponse } from "#lib/contract/live-model";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Adjustment, Scenario } from "#lib/contract/scenarios";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { type LiveModel, openLiveModel } from "#lib/engine/what-if/live-model";
import { unpack } from "#lib/engine/what-if/pack";
import { callRoute } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyTemperature } from "#testing/sample-series";
import { base64, createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { GET as liveRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/live-model/route.ts";
import { POST as previewRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/preview/route.ts";

await createTestDatabase();

const pathOf = ({ projectId, as }: TrainedProject, { id: scenarioId }: Scenario) => ({
  params: { projectId, scenarioId },
  as,
});

async function packed(of: TrainedProject, scenario: Scenario): Promise<string | null> {
  const { data, status, text } = await callRoute<LiveModelResponse>(liveRoute, pathOf(of, scenario));
  expect(status, text).toBe(200);
  return data.model;
}

/** Opens the live model of a scenario as a page does. */
async function opened(of: TrainedProject, scenario: Scenario): Promise<LiveModel> {
  return unpack<LiveModel>(Uint8Array.from(Buffer.from((await packed(of, scenario))!, "base64")).buffer);
}

const HOUR = 3_600_000;
/** Local time in Berlin, where clocks change within the scenario. */
const wall = (hour: number) => new Date(Date.UTC(2024, 2, 20) + hour * HOUR).toISOString().slice(0, 16);
const hours = (first: number, count: number, withTarget: boolean) =>
  Array.from({ length: count }, (_, i) => first + i)
    // The clock skips these hours.
    .filter((hour) => !["2024-03-31T02:00", "2025-03-30T02:00"].includes(wall(hour)))
    .map((hour) => {
      const [kind, price] = [["a", "b", "c"][(hour * 7) % 3]!, (hour * 5) % 11];
      const y = 50 + 9 * Math.sin(hour / 4) + 2 * price + (kind === "b" ? 7 : 0);
      return `${wall(hour)},${kind},${price}${withTarget ? `,${y.toFixed(2)}` : ""}`;
    })
    .join("\n");
const hourlyCsv = `time,kind,price,y\n${hours(0, 240, true)}\n`;
const hourly = { csv: hourlyCsv, target: "y", timestamp: "time", timezone: "Europe/Berlin" };

const weather = await createTrainedProject({ csv: dailyTemperature(60), target: "temp", timestamp: "day" });
const trees = await createTrainedProject({
  ...hourly,
  request: {
    algorithm: "gradient_boosting",
    features: { lags: [1, 24], calendar: true },
    hyperparameters: { rounds: 30, earlyStopping: false },
  },
  dependencies: [{ projectId: weather.projectId, featureName: "warmth" }],
});
const blend = await createTrainedProject({ ...hourly, request: { algorithm: "blend" } });
const methods = await createTrainedProject({ ...hourly, request: { algorithm: "combination" } });
const lines = Array.from(
  { length: 90 },
  (_, i) => `${["a", "b"][i % 2]},${i % 9},${(i % 9) * 3 + (i % 2) * 5}`,
);
const table = await createTrainedProject({
  csv: `kind,price,y\n${lines.join("\n")}\n`,
  target: "y",
  request: { algorithm: "ridge" },
});
const fileData = base64(`time,kind,price\n${hours(240, 72, false)}\n`);
const planned = await createScenario(trees, {
  fileData,
  dependentProjectCheckpoints: { [weather.projectId]: null },
});
const continued = await createScenario(methods, { endDate: "2024-04-01T12:00" });
const blended = await createScenario(blend, { endDate: "2024-04-01T12:00" });
const rows = await createScenario(table, {});

const value = fc.double({ min: -1e4, max: 1e4, noNaN: true });
const numeric = (feature: string) =>
  fc.record({
    feature: fc.constant(feature),
    operation: fc.constantFrom("add", "multiply", "set"),
    value,
  });
const kind = fc.record({
  feature: fc.constant("kind"),
  operation: fc.constant("set"),
  value: fc.constantFrom("a", "b", "unseen"),
});
const where = value.map((than) => ({ where: [{ feature: "price", operator: ">", value: than / 1e3 }] }));
const span = fc
  .tuple(fc.integer({ min: 240, max: 311 }), fc.integer({ min: 240, max: 311 }))
  .map((ends) => ends.toSorted((a, b) => a - b))
  .map(([from, to]) => ({ from: wall(from!), to: wall(to!) }));
const bucket = fc.record({
  bucket: fc.constantFrom(undefined, "auto", "hour", "day"),
  aggregate: fc.constantFrom(undefined, "sum", "mean", "last"),
  maxPoints: fc.constantFrom(10, 1_000),
});

test.each([
  ["trees with lags, an upstream project and a clock change", trees, planned, [numeric("warmth")], 60],
  ["a combination of series methods with generated inputs", methods, continued, [], 10],
  ["a blend with generated inputs", blend, blended, [], 10],
  ["a table", table, rows, [], 100],
] as const)("previews equal those of the service to the bit: %s", async (_, of, from, further, numRuns) => {
  const predict = (await openLiveModel(await opened(of, from)))!;
  const isTimed = from.firstTimestamp !== null;
  const change = fc
    .tuple(
      fc.oneof(numeric("price"), kind, ...further),
      isTimed ? fc.option(span) : fc.constant(null),
      fc.option(where),
    )
    .map((parts) => Object.assign({}, ...parts) as Adjustment);
  const points = isTimed ? bucket : fc.record({ maxPoints: fc.constantFrom(10, 1_000) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 4 }), points, async (adjustments, asked) => {
      const options = { levels: [0.5, 0.8], ...asked };
      const live = await predict(adjustments, options);
      const { data } = await callRoute<ScenarioPreview>(previewRoute, {
        ...pathOf(of, from),
        body: { adjustments, ...JSON.parse(JSON.stringify(options)) },
      });
      const { timestamps, rows: axis, buckets, saved, preview, totalDifference, percentDifference } = data;
      expect(live).toEqual({
        ...(timestamps ? { timestamps } : { rows: axis }),
        ...(buckets && { buckets }),
        saved: { values: saved.values },
        preview,
        totalDifference,
        percentDifference,
      });
      // `toEqual` takes 0 and −0 for equal.
      expect(live!.preview.values.every((one, at) => Object.is(one, preview.values[at]))).toBe(true);
    }),
    { numRuns },
  );
});

test("a model that predicts anything else than the stored predictions is not used", async () => {
  const live = await opened(table, rows);
  expect(await openLiveModel(live)).not.toBeNull();
  live.saved.prediction[7]! += 2 ** -40;
  expect(await openLiveModel(live)).toBeNull();
});

test("rejects a scenario of a model without inputs", async () => {
  const scenario = await createScenario(weather, {});
  const { status, error } = await callRoute(liveRoute, pathOf(weather, scenario));
  expect([status, error?.code, error?.details?.[0]?.code]).toEqual([400, "validation_failed", "no_inputs"]);
});

test("returns no model for a long scenario, or for more values than a page should load", async () => {
  const long = await createScenario(trees, {
    fileData: base64(`time,kind,price\n${hours(240, limits.previewRowsTogether + 3, false)}\n`),
    dependentProjectCheckpoints: { [weather.projectId]: null },
  });
  expect(await packed(trees, long)).toBeNull();

  const names = Array.from({ length: 50 }, (_, at) => `x${at}`).join();
  const row = (at: number) => Array.from({ length: 50 }, (_, column) => (at * (column + 1)) % 101).join();
  const wide = await createTrainedProject({
    csv: `${names},y\n${Array.from({ length: 202 }, (_, at) => `${row(at)},${at % 7}`).join("\n")}\n`,
    target: "y",
    request: { algorithm: "ridge" },
  });
  // 50 values of 8 bytes in each row exceed 16 MiB.
  const rowCount = Math.ceil((16 * 2 ** 20) / 400);
  const many = Array.from({ length: rowCount }, (_, at) => row(at)).join("\n");
  const scenario = await createScenario(wide, { fileData: base64(`${names}\n${many}\n`) });
  const read = vi.spyOn(StoredInput.prototype, "readAll");
  expect(await packed(wide, scenario)).toBeNull();
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});
