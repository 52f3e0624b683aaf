import { expect, test } from "vitest";
import type { ModelChanges } from "#lib/contract/actuals";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { findCurrentModel } from "#lib/domain/models/find-model";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { dailyDemand, dailyTemperature } from "#testing/sample-series";
import { base64, createTrainedProject, train } from "#testing/scenario-factory";
import { GET as changesRoute } from "../../../app/api/v1/projects/[projectId]/models/[modelId]/changes/route.ts";

const { db } = await createTestDatabase();

const [header, ...lines] = dailyDemand(240).trim().split("\n");
const days = (from: number, to: number) => `${[header, ...lines.slice(from, to)].join("\n")}\n`;

test("a model without the upstream feature of the previous one is compared without an error", async () => {
  const weather = await createTrainedProject({
    name: "Weather",
    csv: dailyTemperature(240),
    target: "temp",
    timestamp: "day",
  });
  const { projectId, as } = await createTrainedProject({
    csv: days(0, 200),
    target: "demand",
    timestamp: "date",
    dependencies: [{ projectId: weather.projectId, featureName: "predicted_temp" }],
  });
  await appendRows(testContext(), { projectId, fileData: base64(days(200, 240)) });
  await setDependencies(testContext(), { projectId, dependencies: [] });
  await train(projectId, { algorithm: "ridge", features: { lags: [] } });
  const model = await findCurrentModel(db, projectId);
  const params = { projectId, modelId: model.id };
  const { status, error, data } = await callRoute<ModelChanges>(changesRoute, { params, as });
  expect(error).toBeUndefined();
  expect(status).toBe(200);
  expect(data.features).toEqual({ added: [], removed: ["predicted_temp"] });
  expect(data.sameRows).toBeNull();
  expect(data.reason).toContain("predicted_temp");
});

test("models of different classes are not compared on the same rows", async () => {
  const rows = (count: number, classes: readonly [string, string]) =>
    Array.from({ length: count }, (_, row) => {
      const date = new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10);
      const price = (row * 7) % 11;
      return `${date},${price},${classes[price > 5 ? 1 : 0]}`;
    }).join("\n");
  const csv = (count: number, classes: readonly [string, string]) =>
    `date,price,sold\n${rows(count, classes)}\n`;
  const settings = { target: "sold", timestamp: "date" };
  const { projectId, as } = await createTrainedProject({ csv: csv(200, ["no", "yes"]), ...settings });
  // "yes" was the second class in alphabetical order and is now the first.
  const fileData = base64(csv(240, ["zero", "yes"]));
  await putDataset(testContext(), { projectId, fileData, ...settings });
  await train(projectId, { algorithm: "ridge", features: { lags: [] } });
  const params = { projectId, modelId: (await findCurrentModel(db, projectId)).id };
  const { data } = await callRoute<ModelChanges>(changesRoute, { params, as });
  expect(data).toMatchObject({
    sameRows: null,
    reason: 'The previous model predicts other classes: "no" and "yes".',
  });
});

test.each([
  ["texts", "numbers"],
  ["numbers", "texts"],
] as const)("models of %s and of %s are not compared on the same rows", async (before, after) => {
  const csv = (count: number, kind: "texts" | "numbers") => {
    const rows = Array.from({ length: count }, (_, row) => {
      const date = new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10);
      const price = (row * 7) % 11;
      return `${date},${price},${kind === "numbers" ? 10 * price : price > 5 ? "yes" : "no"}`;
    });
    return `date,price,sold\n${rows.join("\n")}\n`;
  };
  const settings = { target: "sold", timestamp: "date" };
  const { projectId, as } = await createTrainedProject({ csv: csv(200, before), ...settings });
  await putDataset(testContext(), { projectId, fileData: base64(csv(240, after)), ...settings });
  await train(projectId, { algorithm: "ridge", features: { lags: [] } });
  const params = { projectId, modelId: (await findCurrentModel(db, projectId)).id };
  const { data } = await callRoute<ModelChanges>(changesRoute, { params, as });
  expect(data).toMatchObject({ sameRows: null, reason: expect.stringContaining('"no" and "yes"') });
});
