import { expect, test } from "vitest";
import type { ScenarioValidation } from "#lib/contract/scenarios";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { callRoute, testContext } from "#testing/api";
import { createPanelProject, panelDay, panelDays } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64, createScenario, getScenario, postScenario } from "#testing/scenario-factory";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

await createTestDatabase();
const project = await createPanelProject();
const { projectId, as } = project;

const day = (at: number) => panelDay(panelDays + at);
/** A file without the level column "region". The model knows store A, but neither store Y nor store Z. */
const file = ["date,store,item,price,promo", `${day(0)},A,1,5,0`, `${day(0)},Z,1,5,0`, `${day(1)},Y,2,?,0`];
const valid = `${file.slice(0, 3).join("\n")}\n`;
const absent = (row: number) => ({ row, column: "region", value: null, code: "missing_value" });

async function upload(text: string): Promise<string> {
  async function* content() {
    yield Buffer.from(text);
  }
  return (await createUpload(testContext(), { projectId, content: content(), isCsv: true })).uploadId;
}

test("a file without the levels of an unknown series is rejected in the request, with every such row", async () => {
  const { status, error } = await postScenario(project, { fileData: base64(`${file.join("\n")}\n`) });
  expect([status, error?.code]).toEqual([400, "input_invalid"]);
  expect(error!.details).toMatchObject([absent(2), { row: 3, code: "not_a_number" }, absent(3)]);
  expect(error!.details![0]!.message).toBe(
    'Row 2 has no value in column "region". The known rows have none for its series, so add the column.',
  );
  const { data } = await callRoute<ScenarioValidation>(validateRoute, {
    params: { projectId },
    as,
    body: { fileData: base64(valid) },
  });
  expect(data).toMatchObject({ valid: false, rowCount: 2, faults: [absent(2)] });
});

test("an upload without the levels of an unknown series ends its job, which names the row", async () => {
  const { data } = await postScenario(project, { uploadId: await upload(valid) });
  const job = await runJobHere(data.jobId);
  expect(job).toMatchObject({ status: "Failed", errorCode: "input_invalid" });
  expect(job.errorMessage).toContain('Row 2 has no value in column "region"');
  expect(await getScenario(project, data.scenarioId)).toMatchObject({ status: "Failed", rowCount: null });
});

test("an unknown series with its levels is predicted from them, with a warning", async () => {
  const text = `date,store,item,region,price,promo\n${day(0)},Z,1,south,5,0\n`;
  for (const body of [{ fileData: base64(text) }, { uploadId: await upload(text) }]) {
    const { summary, warnings } = await createScenario(project, body);
    expect(summary!.sum).toBeGreaterThan(0);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "unknown_series", rows: 1 }));
  }
});
