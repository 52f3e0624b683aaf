import { beforeAll, describe, expect, it } from "vitest";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { callRoute, createKey, createProject, type TestKey, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { GET as currentRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as trainRoute } from "../../../app/api/v1/projects/[projectId]/models/train/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";

await createTestDatabase();
const ctx = testContext();
const DAY_MS = 86_400_000;
const START = Date.UTC(2020, 0, 1);

/** Four years of daily sales: they depend on the price per weight, and rise by half on 4 July and 11 November. */
function sales(): string {
  const rows = Array.from({ length: 1461 }, (_, day) => {
    const date = new Date(START + day * DAY_MS).toISOString().slice(0, 10);
    const [price, weight] = [2 + ((day * 31) % 17), 1 + ((day * 7) % 5)];
    const holiday = date.endsWith("07-04") || date.endsWith("11-11") ? 60 : 0;
    return `${date},${price},${weight},${day % 2 ? "red" : "blue"},${(100 - (6 * price) / weight + holiday).toFixed(3)}`;
  });
  return `day,price,weight,colour,sold\n${rows.join("\n")}\n`;
}

let projectId: string;
let as: TestKey;
const train = (body: unknown) =>
  callRoute<{ jobId: string }>(trainRoute, { params: { projectId }, as, body });

beforeAll(async () => {
  ({ id: projectId } = await createProject());
  const fileData = Buffer.from(sales()).toString("base64");
  await putDataset(ctx, { projectId, fileData, target: "sold", timestamp: "day" });
  as = await createKey({ projectId });
});

describe("features of POST models/train", () => {
  it("become preprocessing steps of the model", async () => {
    const features = {
      lags: [],
      holidays: { country: "US", region: "WA" },
      combinations: [{ operation: "ratio", feature: "price", other: "weight" }],
      differences: [{ shift: 7, span: 7 }],
      impute: "mean",
    };
    const { data } = await train({ algorithm: "ridge", features, horizon: 7 });
    const job = await runJobHere(data.jobId);
    expect([job.status, job.errorMessage]).toEqual(["Completed", null]);
    const { data: model } = await callRoute<Model>(currentRoute, { params: { projectId }, as });
    expect(model.featureEngineering.version).toBe(4);
    expect(model.featureEngineering.steps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ op: "holiday", country: "US", region: "WA" }),
        expect.objectContaining({ op: "combine", operation: "ratio", feature: "price", other: "weight" }),
        expect.objectContaining({ op: "difference", shift: 7, span: 7 }),
      ]),
    );
    const days = ["2024-07-03", "2024-07-04"];
    const input = { day: days, price: [10, 10], weight: [2, 2], colour: ["red", "red"] };
    const answer = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body: { input } });
    expect(answer.status).toBe(200);
    const [before, on] = answer.data.predictions;
    expect(before).toBeLessThan(90);
    expect(on! - before!).toBeGreaterThan(5);
  });

  it.each([
    [{ holidays: { country: "XX" } }, "features.holidays.country", /No holidays are known for country "XX"/],
    [
      { holidays: { country: "DE", region: "WA" } },
      "features.holidays.region",
      /region "WA" of DE has no known holidays. Use one of BB, BE/,
    ],
    [
      { combinations: [{ operation: "ratio", feature: "price", other: "wieght" }] },
      "features.combinations.0.other",
      /"wieght" is not a numeric input column; did you mean "weight"/,
    ],
    [
      { combinations: [{ operation: "ratio", feature: "colour", other: "sold" }] },
      "features.combinations.0.feature",
      /"colour" is not a numeric input column/,
    ],
    [{ differences: [{ shift: 0, span: 7 }] }, "features.differences.0.shift", /./],
    [{ impute: "zero" }, "features.impute", /./],
  ])("are rejected with the field's name: %j", async (features, field, message) => {
    const { status, error } = await train({ features });
    expect([status, error?.code, error?.details?.[0]?.field]).toEqual([400, "validation_failed", field]);
    expect(error?.details?.[0]?.message).toMatch(message);
  });

  it("need a timestamp if they derive from time", async () => {
    const other = await createProject();
    const fileData = Buffer.from("x,y\n1,2\n2,3\n").toString("base64");
    await putDataset(ctx, { projectId: other.id, fileData, target: "y" });
    const { status, error } = await callRoute(trainRoute, {
      params: { projectId: other.id },
      as: await createKey({ projectId: other.id }),
      body: { features: { holidays: { country: "US" } } },
    });
    expect([status, error?.details?.[0]?.field]).toEqual([400, "features.holidays"]);
  });
});
