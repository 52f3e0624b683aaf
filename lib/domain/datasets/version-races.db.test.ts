import { expect, it } from "vitest";
import { lockProject } from "#lib/domain/projects/lock-project";
import { createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64 } from "#testing/scenario-factory";
import { waitForLock } from "#testing/wait-for-lock";
import { deleteVersion } from "./delete-version.ts";
import { putDataset } from "./put-dataset.ts";
import { restoreVersion } from "./restore-version.ts";

const { db, sql } = await createTestDatabase();
const ctx = testContext();

it("does not restore a version that is deleted meanwhile", async () => {
  const { id: projectId } = await createProject();
  const put = (value: number) =>
    putDataset(ctx, { projectId, target: "demand", fileData: base64(`demand\n${value}\n`) });
  const { id: versionId } = await put(1);
  await put(2);
  const ids = { projectId, versionId };
  const answers = await db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const deletion = deleteVersion(ctx, ids);
    await waitForLock(sql);
    const restoration = restoreVersion(ctx, ids).catch((error: unknown) => error);
    await waitForLock(sql, 2);
    return [deletion, restoration] as const;
  });
  const [deleted, restored] = await Promise.all(answers);
  expect(deleted).toMatchObject({ id: versionId });
  expect(restored).toMatchObject({ code: "version_not_found" });
});
