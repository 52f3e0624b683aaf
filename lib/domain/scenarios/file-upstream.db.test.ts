import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Prediction } from "#lib/contract/predictions";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { TrainModel } from "#lib/contract/train-model";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import {
  base64,
  createScenario,
  createTrainedProject,
  type TrainedProject,
  train,
} from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";

// The same validator and the same feature code serve CSV, predict and training, so the same rows give bit-identical
// numbers.

await createTestDatabase();
const ridge: TrainModel = { algorithm: "ridge", features: { lags: [], calendar: false } };

/** Two projects with the same days. The first reads `wind`, which the second project's data lacks. */
const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
const wind = (index: number) => (index * 7) % 13;

const rows = Array.from({ length: 120 }, (_, index) => index);
const power = await createTrainedProject({
  name: "Power",
  csv: `day,wind,power\n${rows.map((i) => `${day(i)},${wind(i)},${3 * wind(i) + (i % 2)}`).join("\n")}\n`,
  target: "power",
  timestamp: "day",
  request: ridge,
});
const price = await createTrainedProject({
  name: "Price",
  csv: `day,load,price\n${rows.map((i) => `${day(i)},${i % 5},${2 * (i % 5) - wind(i)}`).join("\n")}\n`,
  target: "price",
  timestamp: "day",
  dependencies: [{ projectId: power.projectId, featureName: "predicted_power" }],
  request: ridge,
});

async function predictionsOf({ projectId, as }: TrainedProject, scenarioId: string): Promise<number[]> {
  const { data } = await callRoute<PredictionRow[]>(predictionsRoute, {
    params: { projectId, scenarioId },
    as,
  });
  return data.map(({ prediction }) => prediction!);
}
async function predict({ projectId, as }: TrainedProject, input: Record<string, unknown[]>) {
  const { data } = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body: { input } });
  return data.predictions;
}

describe("columns of a file that only an upstream model reads", () => {
  const days = [day(118), day(121), day(124)];
  const file = (winds: number[]) =>
    base64(`day,load,wind\n${days.map((text, i) => `${text},${i},${winds[i]}`).join("\n")}\n`);
  const input = (winds: number[]) => ({ day: days, load: [0, 1, 2], wind: winds });

  it("are also read by a model two levels upstream, although the model in between does not use them", async () => {
    const rows = Array.from({ length: 120 }, (_, index) => index);
    const bill = await createTrainedProject({
      name: "Bill",
      csv: `day,staff,bill\n${rows.map((i) => `${day(i)},${i % 3},${4 * (i % 5) - 2 * wind(i) + (i % 3)}`).join("\n")}\n`,
      target: "bill",
      timestamp: "day",
      dependencies: [{ projectId: price.projectId, featureName: "predicted_price" }],
      request: ridge,
    });
    const [times, load, winds, staff] = [
      [day(121), day(124)],
      [1, 3],
      [11, 2],
      [2, 0],
    ];
    const powers = await predict(power, { day: times, wind: winds });
    const prices = await predict(price, { day: times, load, predicted_power: powers });
    const expected = await predict(bill, { day: times, staff, predicted_price: prices });
    expect(await predict(bill, { day: times, staff, load, wind: winds })).toEqual(expected);
    const scenario = await createScenario(bill, {
      fileData: base64(
        `day,staff,load,wind\n${times.map((text, i) => `${text},${staff[i]},${load[i]},${winds[i]}`).join("\n")}\n`,
      ),
      dependentProjectCheckpoints: { [power.projectId]: null, [price.projectId]: null },
    });
    expect(await predictionsOf(bill, scenario.id)).toEqual(expected);
  }, 60_000); // Trains a model on predictions of two levels of upstream projects.

  it("give predictions bit-identical to predict, also in a scenario created from this one", async () => {
    const dependentProjectCheckpoints = { [power.projectId]: null };
    const calm = await createScenario(price, { fileData: file([1, 2, 3]), dependentProjectCheckpoints });
    const storm = await createScenario(price, { fileData: file([11, 12, 10]), dependentProjectCheckpoints });
    expect(await predictionsOf(price, calm.id)).toEqual(await predict(price, input([1, 2, 3])));
    expect(await predictionsOf(price, storm.id)).toEqual(await predict(price, input([11, 12, 10])));
    expect(await predictionsOf(price, storm.id)).not.toEqual(await predictionsOf(price, calm.id));

    // Another checkpoint of the upstream project predicts again, still from the values of the file.
    await train(power.projectId, { ...ridge, hyperparameters: { alpha: 50 } });
    const anew = await createScenario(price, {
      baseScenarioId: storm.id,
      checkpointId: storm.checkpointId,
      dependentProjectCheckpoints,
    });
    const moved = (await predictionsOf(price, anew.id)).map((value, i) => [value, i] as const);
    const before = await predictionsOf(price, storm.id);
    const other = await predictionsOf(price, calm.id);
    for (const [value, i] of moved) {
      expect(value).not.toBe(before[i]);
      expect(Math.abs(value - before[i]!)).toBeLessThan(Math.abs(value - other[i]!));
    }
  });

  it("work for projects without times, which cannot be joined otherwise", async () => {
    const rows = Array.from({ length: 60 }, (_, at) => [at % 7, (at * 5) % 11, at] as const);
    const source = await createTrainedProject({
      csv: `a,b,y\n${rows.map((row) => row.join(",")).join("\n")}\n`,
      target: "y",
      request: { algorithm: "ridge" },
    });
    const user = await createTrainedProject({
      csv: `a,b,c,z\n${rows.map(([a, b, at]) => `${a},${b},${at},${at * 2}`).join("\n")}\n`,
      target: "z",
      dependencies: [{ projectId: source.projectId, featureName: "forecast" }],
      request: { algorithm: "ridge" },
    });
    const scenario = await createScenario(user, {
      fileData: base64("a,b,c\n1,2,3\n4,5,6\n"),
      dependentProjectCheckpoints: { [source.projectId]: null },
    });
    const expected = await predict(user, { a: [1, 4], b: [2, 5], c: [3, 6] });
    expect(await predictionsOf(user, scenario.id)).toEqual(expected);
  });
});

it("warns of upstream predictions in an upload as in the same CSV of a request", async () => {
  const csv = `day,load,predicted_power\n${day(121)},1,5\n${day(124)},2,6\n`;
  const { uploadId } = await createUpload(testContext(), {
    projectId: price.projectId,
    content: Readable.from([Buffer.from(csv)]),
    isCsv: true,
  });
  const dependentProjectCheckpoints = { [power.projectId]: null };
  const sent = await createScenario(price, { fileData: base64(csv), dependentProjectCheckpoints });
  const uploaded = await createScenario(price, { uploadId, dependentProjectCheckpoints });
  expect(sent.warnings).toContainEqual(
    expect.objectContaining({ code: "upstream_given", column: "predicted_power", rows: 2 }),
  );
  expect(uploaded.warnings).toEqual(sent.warnings);
});
