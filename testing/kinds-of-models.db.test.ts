import { buffer } from "node:stream/consumers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import type { TrainAlgorithm } from "#lib/contract/hyperparameters";
import type { Table } from "#lib/contract/table";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { openModel } from "#lib/domain/models/open-model";
import { predictorOf } from "#lib/engine/inference/plain-model";
import { database } from "#lib/platform/database/process-database";
import { testContext } from "./api.ts";
import { predict, runScenario } from "./csv-doors.ts";
import { createImportTarget } from "./exported-checkpoint.ts";
import { createTestDatabase } from "./postgres.ts";
import { runJobHere } from "./run-jobs.ts";
import { base64, createTrainedProject } from "./scenario-factory.ts";

await createTestDatabase();

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const LENGTH = 120;
const dayOf = (i: number) => new Date(START + i * DAY).toISOString().slice(0, 10);
const promoOf = (i: number) => (i % 11 === 3 ? 1 : 0);
const salesOf = (i: number) =>
  200 + 0.5 * i + [0, 4, 9, 3, 20, 41, 30][i % 7]! + 25 * promoOf(i) + 6 * Math.sin(i * i);

/** Daily sales with a trend, a weekly season and promotions. */
const csv = [
  "day,promo,sales",
  ...Array.from({ length: LENGTH }, (_, i) => `${dayOf(i)},${promoOf(i)},${salesOf(i)}`),
];
const next = Array.from({ length: 14 }, (_, i) => LENGTH + i);

const algorithms: TrainAlgorithm[] = [
  ...(["gradient_boosting", "ridge", "drift", "seasonal_naive"] as const),
  ...(["ets", "theta", "arima", "stl_ets", "combination"] as const),
];

describe.each(algorithms)("a model with the algorithm %s", (algorithm) => {
  test("gives identical predictions in all places, and contributions that add up to them", {
    // Trains a model, runs a scenario, and imports an exported checkpoint.
    timeout: 120_000,
  }, async () => {
    const project = await createTrainedProject({
      ...{ csv: csv.join("\n"), target: "sales", timestamp: "day" },
      request: { algorithm, horizon: 14 },
    });
    const input = { day: next.map(dayOf), promo: next.map(promoOf) };
    const called = await predict(project, input, ["intervals", "contributions"]);
    expect(called.text).toContain('"success":true');
    const { predictions, intervals, contributions } = called.data;

    const rows = next.map((i) => `${dayOf(i)},${promoOf(i)}`);
    const scenario = await runScenario(project, { fileData: base64(["day,promo", ...rows].join("\n")) });
    expect(scenario.predictions).toEqual(predictions);

    // The base value and the contributions add up to the prediction.
    contributions!.values.forEach((values, row) => {
      const sum = values.reduce((total, value) => total + value, contributions!.baseValue);
      expect(sum).toBeCloseTo(predictions[row]!, 6);
    });

    // A worker thread receives the model as plain data.
    const [own] = await database()
      .select()
      .from(checkpoints)
      .where(eq(checkpoints.projectId, project.projectId));
    const model = await openModel(own!.artifactKey);
    const plain = structuredClone(model.plain());
    const table: Table = {
      rowCount: next.length,
      columns: [
        { name: "day", type: "timestamp", values: Float64Array.from(next, (i) => START + i * DAY) },
        { name: "promo", type: "number", values: Float64Array.from(next, promoOf) },
      ],
    };
    const inThread = await predictorOf(plain!)!(table, { include: { intervals: true } });
    expect([...inThread.predictions]).toEqual(predictions);
    expect([...inThread.intervals!.lower]).toEqual(intervals!.lower);

    // An exported checkpoint is imported into another project.
    const wanted = { projectId: project.projectId, checkpointId: own!.id };
    const file = await buffer((await exportCheckpoint(testContext(), wanted)).content);
    const target = await createImportTarget();
    const { data } = await target.sendFile(file);
    const job = await runJobHere(data.jobId);
    expect(job.errorMessage).toBeNull();
    const imported = await predict(target, input, ["intervals"]);
    expect(imported.data.predictions).toEqual(predictions);
    expect(imported.data.intervals).toEqual(intervals);
  });
});
