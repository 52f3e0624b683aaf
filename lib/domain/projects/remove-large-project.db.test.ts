import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { storeScenario } from "#testing/stored-scenario";
import { deleteProject } from "./delete-project.ts";

const statementMs = 2_000;
const { db } = await createTestDatabase({ statementMs });

test("removes a project whose predictions take longer to delete than a statement may take", async () => {
  const { id: projectId } = await createProject();
  const scenarioCount = 10;
  const series = { prediction: Float64Array.of(1), timestamps: null, lower: null, upper: null };
  for (let count = 0; count < scenarioCount; count++) await storeScenario(projectId, series);
  // As if each scenario had gigabytes of predictions.
  await db.execute(sql`create function delete_slowly() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.3); return null; end $$`);
  await db.execute(sql`create trigger delete_slowly after delete on prediction_chunks
    for each row execute function delete_slowly()`);
  const { jobId } = await deleteProject(testContext(), { projectId });
  expect(await runJobHere(jobId)).toMatchObject({ status: "Completed" });
  const left = await db.execute(sql`select from scenarios where project_id = ${projectId}`);
  expect(left).toHaveLength(0);
});
