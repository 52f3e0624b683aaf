import { expect, it } from "vitest";
import type { Model } from "#lib/contract/models";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { updateDataset } from "#lib/domain/datasets/update-dataset";
import { callRoute, createKey, createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { GET as currentRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as trainRoute } from "../../../app/api/v1/projects/[projectId]/models/train/route.ts";

await createTestDatabase();
const ctx = testContext();

const rows = Array.from({ length: 300 }, (_, row) => {
  const casual = (row * 37) % 41;
  const registered = (row * 53) % 97;
  const temp = 10 + 8 * Math.sin(row / 30) + ((row * 17) % 7);
  return [casual, registered, temp.toFixed(2), casual + registered].join();
});
const csv = `casual,registered,temp,cnt\n${rows.join("\n")}\n`;

it("a model that is too good carries the dataset's warning, until columns are excluded or confirmed", async () => {
  const { id: projectId } = await createProject();
  const as = await createKey({ projectId });
  await putDataset(ctx, { projectId, fileData: Buffer.from(csv).toString("base64"), target: "cnt" });
  const trained = async () => {
    const body = { algorithm: "ridge" };
    const { data } = await callRoute<{ jobId: string }>(trainRoute, { params: { projectId }, as, body });
    const job = await runJobHere(data.jobId);
    const model = (await callRoute<Model>(currentRoute, { params: { projectId }, as })).data;
    return { message: job.message, warnings: model.warnings };
  };

  const leaking = await trained();
  expect(leaking.warnings).toMatchObject([
    { code: "too_good", columns: expect.arrayContaining(["casual", "registered"]) },
    { code: "equals_target", columns: ["casual", "registered"], evidence: { matchingRows: 300 } },
  ]);
  expect(leaking.warnings[0]!.evidence!.r2).toBeGreaterThan(0.999);
  expect(leaking.message).toContain("too good to be true");

  await updateDataset(ctx, { projectId, change: { confirmed: ["casual", "registered"] } });
  expect((await trained()).warnings).toEqual([]);

  await updateDataset(ctx, { projectId, change: { confirmed: [], exclude: ["casual", "registered"] } });
  const honest = await trained();
  expect(honest.warnings).toEqual([]);
  expect(honest.message).not.toContain("too good");
});
