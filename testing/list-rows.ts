import type { ISql, JSONValue, Sql } from "postgres";
import { hashKey } from "#lib/domain/api-keys/key-format";
import { newId } from "#lib/platform/ids/new-id";

type Row = Record<string, JSONValue>;

type ListTable = {
  /** Table that contains the rows of the list. */
  table: string;
  /** Column of the creation time; `created_at` by default. */
  time?: string;
  /** Returns values that must be unique for a new row, or null if the list is full. */
  differs?(sql: ISql, id: string, like: Row): Promise<Row | null> | Row;
};

/** Tables of the lists, by operation id. */
export const listTables: Record<string, ListTable> = {
  listJobs: { table: "jobs" },
  listMembers: { table: "user", differs: (_sql, id) => ({ email: `${id}@example.com` }) },
  listSessions: { table: "session", differs: (_sql, id) => ({ token: id }) },
  listAllAudit: { table: "audit_log", time: "at" },
  listAudit: { table: "audit_log", time: "at" },
  listApiKeys: { table: "api_keys", differs: (_sql, id) => ({ hash: hashKey(id) }) },
  listWebhooks: { table: "webhooks", differs: freeWebhookSlot },
  listDeliveries: { table: "webhook_deliveries", differs: (_sql, id) => ({ source: id }) },
  listCheckpoints: { table: "checkpoints", differs: valuesInFreeSlot },
  listModels: { table: "models", differs: () => ({ job_id: null }) },
  listComparisons: { table: "comparisons", differs: freeComparisonSlot },
  listScenarios: { table: "scenarios" },
  listScenarioRuns: { table: "scenario_runs" },
  listOverrides: { table: "scenario_overrides", differs: freeOverrideSlot },
  listUploads: { table: "uploads" },
  listDatasetVersions: { table: "datasets", differs: nextVersion },
  listProjectMembers: { table: "project_members", differs: newUser },
  listProjects: { table: "projects", differs: () => ({ current_model_id: null }) },
};

/** Returns a copy of a user, because a project lists a user once. */
async function newUser(sql: ISql, id: string, { user_id }: Row): Promise<Row> {
  await sql`
    insert into "user" (id, name, email, role, created_at, updated_at)
    select ${id}, name, ${`${id}@example.com`}, role, now(), now() from "user" where id = ${user_id as string}`;
  return { user_id: id };
}

/** Returns the values of a checkpoint in a free slot; null if the project already has 20 checkpoints. */
async function valuesInFreeSlot(sql: ISql, id: string, { project_id }: Row): Promise<Row | null> {
  const [free] = await sql<{ slot: number }[]>`
    select slot from generate_series(1, 20) as slot
    where slot not in (select slot from checkpoints where project_id = ${project_id as string} and slot is not null)
    limit 1`;
  if (!free) return null;
  const artifact_key = `projects/${project_id}/checkpoints/${id}`;
  return { slot: free.slot, label: id, folder_name: id, artifact_key, is_default: false };
}

async function nextVersion(sql: ISql, _id: string, { project_id }: Row): Promise<Row> {
  const [last] = await sql<{ version: number }[]>`
    select max(version) as version from datasets where project_id = ${project_id as string}`;
  return { version: last!.version + 1 };
}

/** Returns a free slot of a comparison; null if the project already has 100 saved comparisons. */
async function freeComparisonSlot(sql: ISql, _id: string, { project_id }: Row): Promise<Row | null> {
  const [free] = await sql<{ slot: number }[]>`
    select slot from generate_series(1, 100) as slot
    where slot not in (select slot from comparisons where project_id = ${project_id as string}) limit 1`;
  return free ? { slot: free.slot } : null;
}

/** Returns a free slot of a webhook; null if the project already has 20 webhooks. */
async function freeWebhookSlot(sql: ISql, _id: string, { project_id }: Row): Promise<Row | null> {
  const [free] = await sql<{ slot: number }[]>`
    select slot from generate_series(1, 20) as slot
    where slot not in (select slot from webhooks where project_id = ${project_id as string}) limit 1`;
  return free ? { slot: free.slot } : null;
}

/** Returns a free slot of an override; null if the scenario already has 100 active ones. */
async function freeOverrideSlot(sql: ISql, _id: string, { scenario_id }: Row): Promise<Row | null> {
  const [free] = await sql<{ slot: number }[]>`
    select slot from generate_series(1, 100) as slot
    where slot not in (select slot from scenario_overrides where scenario_id = ${scenario_id as string} and ended_at is null)
    limit 1`;
  return free ? { slot: free.slot } : null;
}

type Copy = {
  /** ID of the row to copy. */
  like: string;
  /** Creation time in an input format of PostgreSQL. */
  time: string;
};

/**
 * Adds a row to a list: a copy of an existing row with another creation time.
 *
 * @returns id of the new row; null if the list is full
 */
export async function addListRow(sql: Sql, operation: string, copy: Copy): Promise<string | null> {
  return (await addListRows(sql, operation, copy, 1))[0] ?? null;
}

/** Adds several rows, or as many as fit into the list, and returns their IDs. */
export async function addListRows(
  sql: Sql,
  operation: string,
  { like, time }: Copy,
  count: number,
): Promise<string[]> {
  const { table, time: timeColumn = "created_at", differs } = listTables[operation]!;
  return sql.begin(async (tx) => {
    // Disables triggers, because no operation of the service creates these rows.
    await tx`set local session_replication_role = replica`;
    const [template] = await tx<{ row: Row }[]>`
      select to_jsonb(one) as row from ${tx(table)} as one where id = ${like}`;
    const ids: string[] = [];
    while (ids.length < count) {
      const id = newId();
      const different = (await differs?.(tx, id, template!.row)) ?? (differs ? null : {});
      if (different === null) break;
      const row = { ...template!.row, ...different, id, [timeColumn]: time };
      await tx`
        insert into ${tx(table)}
        select (jsonb_populate_record(null::${tx(table)}, ${JSON.stringify(row)}::text::jsonb)).*`;
      ids.push(id);
    }
    return ids;
  });
}

export async function removeListRow(sql: Sql, operation: string, id: string): Promise<void> {
  await sql`delete from ${sql(listTables[operation]!.table)} where id = ${id}`;
}
