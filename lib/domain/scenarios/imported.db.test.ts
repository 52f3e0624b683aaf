import { beforeAll, describe, expect, it } from "vitest";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { createProject, testContext } from "#testing/api";
import { importLinear } from "#testing/import-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, postScenario, type TrainedProject } from "#testing/scenario-factory";

await createTestDatabase();
const ctx = testContext();

const day = (offset: number) => new Date(Date.UTC(2024, 0, 1 + offset)).toISOString().slice(0, 10);
const known = Array.from({ length: 70 }, (_, i) => `${day(i)},${i % 7},2,${3 * (i % 7) - 3}`);

describe("a scenario of an imported model", () => {
  let project: TrainedProject;
  beforeAll(async () => {
    project = await importLinear((await createProject()).id);
  });

  it("cannot be generated without known rows", async () => {
    const answer = await postScenario(project, { endDate: "2024-04-01" });
    expect([answer.status, answer.error?.code]).toEqual([400, "validation_failed"]);
  });

  it("is generated from the project's dataset and its times", async () => {
    const { projectId } = project;
    await putDataset(ctx, {
      projectId,
      fileData: base64(`date,x,z,y\n${known.join("\n")}\n`),
      target: "y",
      timestamp: "date",
    });
    const scenario = await createScenario(project, { endDate: day(76) });
    expect(scenario).toMatchObject({
      rowCount: 7,
      firstTimestamp: `${day(70)}T00:00:00.000Z`,
      lastTimestamp: `${day(76)}T00:00:00.000Z`,
      summary: { first: -3, last: 15 },
    });
  });

  it("has the times of its CSV, and needs none", async () => {
    const timed = await createScenario(project, {
      fileData: base64(`date,x,z\n${day(80)},1,1\n${day(81)},2,1\n`),
    });
    expect(timed).toMatchObject({ rowCount: 2, firstTimestamp: `${day(80)}T00:00:00.000Z`, warnings: [] });
    const untimed = await createScenario(project, { fileData: base64("x,z\n1,1\n2,1\n") });
    expect(untimed).toMatchObject({ rowCount: 2, firstTimestamp: null, summary: timed.summary });
  });

  it("without times rejects adjustments between times", async () => {
    const base = await createScenario(project, { fileData: base64("x,z\n1,1\n2,1\n") });
    const answer = await postScenario(project, {
      baseScenarioId: base.id,
      adjustments: [{ feature: "x", operation: "add", value: 1, from: day(80) }],
    });
    expect([answer.status, answer.error?.code]).toEqual([400, "validation_failed"]);
    expect(answer.error?.details).toEqual([
      expect.objectContaining({ field: "adjustments.0", code: "no_timestamp" }),
    ]);
  });

  it("begins days at midnight if the clocks skip the midnight of the dataset's first day", async () => {
    const { projectId, as } = await importLinear((await createProject()).id);
    const days = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2024, 2, 10 + i)));
    const lines = days.map((date, i) => `${date.toISOString().slice(0, 10)},${i % 7},2,${i % 5}`);
    await putDataset(ctx, {
      projectId,
      fileData: base64(`date,x,z,y\n${lines.join("\n")}\n`),
      target: "y",
      timestamp: "date",
      timezone: "America/Havana",
    });
    const scenario = await createScenario({ projectId, as }, { endDate: "2024-04-20" });
    expect(scenario).toMatchObject({
      rowCount: 2,
      firstTimestamp: "2024-04-19T04:00:00.000Z",
      lastTimestamp: "2024-04-20T04:00:00.000Z",
    });
  });
});
