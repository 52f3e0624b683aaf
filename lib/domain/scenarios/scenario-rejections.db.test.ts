import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { scenarios } from "#db/schema/scenarios";
import type { ScenarioValidation } from "#lib/contract/scenarios";
import { callRoute, createKey, createProject } from "#testing/api";
import { createDemandProject, daysCsv, lastDay, laterDays } from "#testing/demand-project";
import { keptFolders } from "#testing/kept-folders";
import { createReadyCheckpoint } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, postScenario } from "#testing/scenario-factory";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

const { db } = await createTestDatabase();
const project = await createDemandProject();

describe("POST scenarios rejects invalid requests and leaves nothing behind", () => {
  const rejections: [name: string, body: () => Record<string, unknown>, status: number, code: string][] = [
    ["no title", () => ({ title: " " }), 400, "validation_failed"],
    ["an unknown field", () => ({ titel: "x" }), 400, "validation_failed"],
    ["an invalid colour", () => ({ color: "blue" }), 400, "validation_failed"],
    ["non-canonical base64", () => ({ fileData: `${base64("date,price\n")}!` }), 400, "validation_failed"],
    ["base64url", () => ({ fileData: "_-8=" }), 400, "validation_failed"],
    [
      "two sources",
      () => ({ fileData: base64(daysCsv(laterDays(1))), uploadId: crypto.randomUUID() }),
      400,
      "validation_failed",
    ],
    ["an unknown upload", () => ({ uploadId: crypto.randomUUID() }), 404, "upload_not_found"],
    ["an unknown checkpoint", () => ({ checkpointId: crypto.randomUUID() }), 404, "checkpoint_not_found"],
    [
      "a CSV without a needed column",
      () => ({ fileData: base64("date\n2023-07-20\n") }),
      400,
      "input_invalid",
    ],
    [
      "a text among numbers",
      () => ({ fileData: base64(daysCsv([{ date: "2023-07-20", price: "dear" }])) }),
      400,
      "input_invalid",
    ],
    [
      "NaN",
      () => ({ fileData: base64(daysCsv([{ date: "2023-07-20", price: "NaN" }])) }),
      400,
      "input_invalid",
    ],
    [
      "an empty cell that is not imputed",
      () => ({ fileData: base64(daysCsv([{ date: "2023-07-20", price: "" }])) }),
      400,
      "input_invalid",
    ],
    ["an empty file", () => ({ fileData: base64("\n") }), 400, "input_invalid"],
    ["a header without rows", () => ({ fileData: base64("date,price\n") }), 400, "input_invalid"],
    ["an end date equal to the last known time", () => ({ endDate: lastDay }), 400, "validation_failed"],
    ["an end date in the past", () => ({ endDate: "2001-01-01T00:00:00Z" }), 400, "validation_failed"],
    ["more than 100,000 rows", () => ({ endDate: "2300-01-01" }), 400, "validation_failed"],
    [
      "a project that is not a dependency",
      () => ({ dependentProjectCheckpoints: { [crypto.randomUUID()]: null } }),
      400,
      "dependency_unknown",
    ],
  ];

  it.each(rejections)("%s", async (_, body, status, code) => {
    const count = () => db.$count(scenarios, eq(scenarios.projectId, project.projectId));
    const [before, folders] = [await count(), await keptFolders(`projects/${project.projectId}`)];
    const answer = await postScenario(project, body());
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
    expect(await count()).toBe(before);
    expect(await keptFolders(`projects/${project.projectId}`)).toEqual(folders);
  });

  it("reports every issue of a CSV with its row and column", async () => {
    const broken = daysCsv([
      { date: "2023-07-20", price: "x" },
      { date: "2023-13-21", price: 5 },
      { date: "2023-07-22", price: "0x1F" },
    ]);
    const { error } = await postScenario(project, { fileData: base64(broken) });
    expect(error?.details?.map(({ row, column, code }) => [row, column, code])).toEqual([
      [1, "price", "not_a_number"],
      [2, "date", expect.any(String)],
      [3, "price", "hexadecimal_number"],
    ]);
  });

  it("a project without a model", async () => {
    const { id: projectId } = await createProject();
    const answer = await postScenario({ projectId, as: await createKey({ projectId }) }, {});
    expect([answer.status, answer.error?.code]).toEqual([400, "no_trained_model"]);
  });
});

describe("POST scenarios/validate accepts the body of creation", () => {
  const omitted = [
    "description",
    "color",
    "checkpointId",
    "uploadId",
    "endDate",
    "baseScenarioId",
    "adjustments",
  ];
  const nothing = Object.fromEntries([...omitted, "dependentProjectCheckpoints"].map((name) => [name, null]));
  const bodyOf = (price: string | number) => ({
    ...nothing,
    title: "Scenario",
    checkpointLabel: `Priced ${price}`,
    fileData: base64(daysCsv([{ date: "2023-07-20", price }])),
    fileName: "prices.csv",
  });
  const both = async (body: Record<string, unknown>) => {
    const { projectId, as } = project;
    const checked = await callRoute<ScenarioValidation>(validateRoute, { params: { projectId }, as, body });
    return { checked, created: await postScenario(project, body) };
  };

  it("with null for omitted fields, and reports the same issues as creation", async () => {
    const { checked, created } = await both(bodyOf("dear"));
    expect(checked.data).toMatchObject({ valid: false, faults: created.error?.details });
    const good = await both(bodyOf(5));
    expect([good.checked.data.valid, good.created.status]).toEqual([true, 202]);
    const pinned = await both({ ...bodyOf(5), dependentProjectCheckpoints: { [project.projectId]: null } });
    expect([pinned.checked.error?.code, pinned.created.error?.code]).toEqual(
      Array(2).fill("dependency_unknown"),
    );
  });
});

it.each(["x", "x".repeat(101), "a\u202Eb", 5])("ignores the label %j beside a checkpoint", async (label) => {
  const checkpointId = await createReadyCheckpoint(project.projectId);
  const body = { fileData: base64(daysCsv(laterDays(1))), checkpointLabel: label };
  const { projectId, as } = project;
  const validate = (more: object) =>
    callRoute<ScenarioValidation>(validateRoute, { params: { projectId }, as, body: { ...body, ...more } });
  expect((await postScenario(project, { ...body, checkpointId })).status).toBe(202);
  expect((await validate({ checkpointId })).data).toMatchObject({ valid: true });
  // Without a checkpoint the label is used, and null is no checkpoint.
  for (const more of [{}, { checkpointId: null }]) {
    const details = [{ field: "checkpointLabel" }];
    expect((await postScenario(project, { ...body, ...more })).error).toMatchObject({ details });
    expect((await validate(more)).error).toMatchObject({ details });
  }
});
