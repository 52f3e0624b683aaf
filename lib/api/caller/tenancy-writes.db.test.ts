import { sql as query } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { apiKeys } from "#db/schema/access";
import { type Caller, callRoute, createKey } from "#testing/api";
import { createNeighbours } from "#testing/neighbours";
import { createTestDatabase } from "#testing/postgres";
import { routeCases } from "#testing/route-cases";
import { runJobHere } from "#testing/run-jobs";
import { validCalls } from "#testing/valid-calls";

// A call on one project, and the job that it creates, change no rows of unrelated projects.

const { db, sql } = await createTestDatabase();
const cases = await routeCases();

const world = await createNeighbours();

/** Returns every row of a project by table, as JSON. */
async function rowsOf(projectId: string): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'project_id'`;
  expect(tables.length).toBeGreaterThan(5);
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await sql<{ row: string }[]>`
      select to_jsonb(t)::text as row from ${sql(name)} t where project_id = ${projectId} order by 1`;
    rows[name] = found.map(({ row }) => row);
  }
  const [project] = await sql<{ row: string }[]>`
    select to_jsonb(t)::text as row from projects t where id = ${projectId}`;
  return { ...rows, projects: [project!.row] };
}

describe.each(cases.map((item) => [item.name, item] as const))("%s", (name, item) => {
  test.each(["a key of the project", "an admin"] as const)("by %s", async (who) => {
    const parts = await validCalls[name]!(world.own);
    const projectId = parts.params?.projectId ?? world.own.projectId;
    const as: Caller = who === "an admin" ? world.admin : await createKey({ projectId });
    // Uses that are noted at most once a minute would be noted for these keys.
    await db.update(apiKeys).set({ lastUsedAt: query`now() - interval '1 hour'` });
    const before = await rowsOf(world.stranger.projectId);
    const answer = await callRoute(item.handler, { ...item.call(parts), as });
    const { jobId } = (answer.data ?? {}) as { jobId?: unknown };
    if (answer.status === 202 && typeof jobId === "string") await runJobHere(jobId);
    expect(await rowsOf(world.stranger.projectId)).toEqual(before);
  });
});
