import { expect, test } from "vitest";
import type { ScenarioValidation } from "#lib/contract/scenarios";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { callRoute, testContext } from "#testing/api";
import { createPanelProject, panelDay } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { postScenario } from "#testing/scenario-factory";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

await createTestDatabase();
const DAYS = 120;

/** Returns 22 series that go on and 4 that ended after 60 days. */
function endingCsv(): string {
  const lines = Array.from({ length: 26 }, (_, s) =>
    Array.from({ length: s < 22 ? DAYS : 60 }, (_, at) =>
      [panelDay(at), `S${s}`, 1, "south", 5 + (at % 3), 0, 20 + s + (at % 7)].join(),
    ),
  ).flat();
  return `date,store,item,region,price,promo,sales\n${lines.join("\n")}\n`;
}
const project = await createPanelProject(endingCsv());
const { projectId, as } = project;
const dayAfter = (steps: number) => panelDay(DAYS - 1 + steps);

test("generated input of many series has at most 2 million rows of the series that have not ended", async () => {
  // 22 series of 80,000 days; with the ended ones it would be 2,080,000 rows.
  const legal = await postScenario(project, { endDate: dayAfter(80_000) });
  expect(legal.status, legal.text).toBe(202);
  const { status, error } = await postScenario(project, { endDate: dayAfter(95_000) });
  expect([status, error?.code]).toEqual([400, "input_invalid"]);
  expect(error!.details).toMatchObject([{ field: "endDate", code: "too_many_rows" }]);
  expect(error!.message).toMatch(/2,090,000 rows.* at most 2,000,000/);
  const far = await postScenario(project, { endDate: dayAfter(100_001) });
  expect(far.error).toMatchObject({ code: "validation_failed", details: [{ code: "too_many_rows" }] });
});

test("an upload of more rows than a scenario of many series may have is rejected in the request", async () => {
  const uploadOf = async (rowCount: number) => {
    async function* content() {
      const first = Array.from({ length: 50_000 }, (_, at) => `${panelDay(DAYS + at)},S1,1,5,0\n`);
      yield Buffer.from(`date,store,item,price,promo\n${first.join("")}`);
      // The request counts the lines after the first mebibyte, and the job reads them.
      yield Buffer.from("x\n".repeat(rowCount - first.length));
    }
    return (await createUpload(testContext(), { projectId, content: content(), isCsv: true })).uploadId;
  };
  const validated = (uploadId: string) =>
    callRoute<ScenarioValidation>(validateRoute, { params: { projectId }, as, body: { uploadId } });
  const uploadId = await uploadOf(2_000_001);
  for (const { status, error } of [await postScenario(project, { uploadId }), await validated(uploadId)]) {
    expect([status, error?.code]).toEqual([400, "input_invalid"]);
    expect(error!.details).toMatchObject([{ code: "too_many_rows" }]);
    expect(error!.message).toContain("2,000,000 rows");
  }
  const { data } = await validated(await uploadOf(2_000_000));
  expect(data).toMatchObject({ valid: true, rowCount: 2_000_000 });
});
