import { describe, expect, it } from "vitest";
import type { PredictionRow } from "#lib/contract/scenario-series";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { dailyDemand } from "#testing/sample-series";
import {
  base64,
  createScenario,
  createTrainedProject,
  getScenario,
  postScenario,
} from "#testing/scenario-factory";
import { GET as predictionsRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { POST as validateRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

await createTestDatabase();
const ctx = testContext();

const project = await createTrainedProject({ csv: dailyDemand(60), target: "demand", timestamp: "date" });

async function upload(text: string, isCsv = true): Promise<string> {
  async function* content() {
    for (let from = 0; from < text.length; from += 100_000)
      yield Buffer.from(text.slice(from, from + 100_000));
  }
  const { uploadId } = await createUpload(ctx, { projectId: project.projectId, content: content(), isCsv });
  return uploadId;
}

/** Minutes after the end of the data. */
function minutes(count: number, price: (row: number) => string | number = (row) => 5 + (row % 9)): string {
  const start = Date.UTC(2023, 3, 1);
  const lines = Array.from(
    { length: count },
    (_, row) => `${new Date(start + row * 60_000).toISOString()},${price(row)}`,
  );
  return `date,price\n${lines.join("\n")}\n`;
}

describe("a scenario of an upload", () => {
  it("gives the same result as the same CSV in the request", async () => {
    const text = minutes(50);
    const inRequest = await createScenario(project, { fileData: base64(text) });
    const uploaded = await createScenario(project, {
      uploadId: await upload(text),
      checkpointId: inRequest.checkpointId,
    });
    expect(uploaded).toMatchObject({ source: "Upload", rowCount: 50, summary: inRequest.summary });
    expect(uploaded.warnings).toEqual(inRequest.warnings);
  });

  it("predicts many rows in threads with the same values as a few rows without threads", async () => {
    const long = await createScenario(project, { uploadId: await upload(minutes(60_000)) });
    const { checkpointId } = long;
    const short = await createScenario(project, { fileData: base64(minutes(500)), checkpointId });
    const [some, all] = await Promise.all(
      [long, short].map(async ({ id: scenarioId }) => {
        const params = { projectId: project.projectId, scenarioId };
        const query = { limit: "500" };
        return (await callRoute(predictionsRoute, { params, as: project.as, query })).data;
      }),
    );
    expect(all).toHaveLength(500);
    expect(some).toEqual(all);
  });

  it("stores hundreds of thousands of rows and reads any page", async () => {
    const count = 150_000;
    const scenario = await createScenario(project, { uploadId: await upload(minutes(count)) });
    expect(scenario.rowCount).toBe(count);
    const read = (query: Record<string, string>) =>
      callRoute<PredictionRow[]>(predictionsRoute, {
        params: { projectId: project.projectId, scenarioId: scenario.id },
        as: project.as,
        query,
      });
    let cursor: string | null = null;
    for (let page = 0; page < 7; page++) {
      const answer = await read({ limit: "10000", ...(cursor === null ? {} : { cursor }) });
      expect(answer.data[0]?.row).toBe(page * 10_000 + 1);
      cursor = new URL(/<([^>]+)>/.exec(answer.headers.get("link")!)![1]!).searchParams.get("cursor");
    }
    const { data } = await read({ limit: "10", cursor: cursor! });
    expect(data[0]).toMatchObject({
      row: 70_001,
      timestamp: new Date(Date.UTC(2023, 3, 1) + 70_000 * 60_000).toISOString(),
    });
  });

  it("is rejected in the request for invalid columns and types", async () => {
    const missing = await postScenario(project, { uploadId: await upload("date,prize\n2023-04-01,5\n") });
    expect([missing.status, missing.error?.code]).toEqual([400, "input_invalid"]);
    expect(missing.error?.details?.[0]).toMatchObject({ column: "price", code: "missing_column" });
    const texts = await postScenario(project, { uploadId: await upload(minutes(20, () => "dear")) });
    expect([texts.status, texts.error?.code]).toEqual([400, "input_invalid"]);
    const notCsv = await postScenario(project, { uploadId: await upload("date,price\n", false) });
    expect([notCsv.status, notCsv.error?.code]).toEqual([400, "validation_failed"]);
  });

  it("ends Failed for invalid rows, and names them all", async () => {
    const text = minutes(2_000, (row) => (row === 1_500 ? "12;5" : row === 1_700 ? "0x1F" : 5));
    const { data } = await postScenario(project, { uploadId: await upload(text) });
    const job = await runJobHere(data.jobId);
    expect(job).toMatchObject({ status: "Failed", errorCode: "input_invalid" });
    expect(job.errorMessage).toContain("Row 1501");
    expect(job.errorMessage).toContain("Row 1701");
    expect(await getScenario(project, data.scenarioId)).toMatchObject({ status: "Failed", rowCount: null });
  });

  it("is validated by columns and types", async () => {
    const answer = await callRoute(validateRoute, {
      params: { projectId: project.projectId },
      as: project.as,
      body: { uploadId: await upload(minutes(30)) },
    });
    expect(answer.data).toMatchObject({ valid: true, rowCount: 30, faults: [], warnings: [] });
  });
});
