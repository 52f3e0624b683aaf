import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { uploads } from "#db/schema/datasets";
import { createUpload } from "#lib/domain/datasets/create-upload";
import type { UploadProfile } from "#lib/domain/datasets/profile-upload";
import { readUpload } from "#lib/domain/datasets/read-upload";
import { callRoute, testContext } from "#testing/api";
import { createPanelProject, panelDay } from "#testing/panel-project";
import { createTestDatabase } from "#testing/postgres";
import { postScenario } from "#testing/scenario-factory";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

const { db } = await createTestDatabase();
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
  async function* content() {
    yield Buffer.from(`date,store,item,price,promo\n${panelDay(DAYS)},S1,1,5,0\n`);
  }
  const { uploadId } = await createUpload(testContext(), { projectId, content: content(), isCsv: true });
  const { profile } = await readUpload(db, { projectId, uploadId });
  const setLines = (more: Partial<UploadProfile>) =>
    db
      .update(uploads)
      .set({ profile: { ...profile, ...more } })
      .where(eq(uploads.id, uploadId));
  await setLines({ lineCount: 2_000_001 });
  const validated = () => callRoute(validateRoute, { params: { projectId }, as, body: { uploadId } });
  for (const { status, error } of [await postScenario(project, { uploadId }), await validated()]) {
    expect([status, error?.code]).toEqual([400, "input_invalid"]);
    expect(error!.details).toMatchObject([{ code: "too_many_rows" }]);
    expect(error!.message).toContain("2,000,000 rows");
  }
  // A line above the header is no row.
  await setLines({ lineCount: 2_000_001, headerRow: 2 });
  expect((await validated()).data).toMatchObject({ valid: true });
});
