import type { JSONValue, Sql } from "postgres";
import { hashKey } from "#lib/domain/api-keys/key-format";
import { newId } from "#lib/platform/ids/new-id";

type Row = Record<string, JSONValue>;

/** Where the rows of a list stand, and what must differ between two of them. */
type ListTable = {
  table: string;
  time?: string;
  differs?(sql: Sql, id: string, like: Row): Promise<Row | null> | Row;
};

/** By operation. */
export const listTables: Record<string, ListTable> = {
  listJobs: { table: "jobs" },
  listMembers: { table: "user", differs: (_sql, id) => ({ email: `${id}@example.com` }) },
  listAllAudit: { table: "audit_log", time: "at" },
  listAudit: { table: "audit_log", time: "at" },
  listApiKeys: { table: "api_keys", differs: (_sql, id) => ({ hash: hashKey(id) }) },
  listCheckpoints: { table: "checkpoints", differs: freePlace },
  listModels: { table: "models", differs: () => ({ job_id: null }) },
  listScenarios: { table: "scenarios" },
  listProjects: { table: "projects", differs: () => ({ current_model_id: null }) },
};

/** null: there are 20 already. */
async function freePlace(sql: Sql, id: string, { project_id }: Row): Promise<Row | null> {
  const [free] = await sql<{ slot: number }[]>`
    select slot from generate_series(1, 20) as slot
    where slot not in (select slot from checkpoints where project_id = ${project_id as string} and slot is not null)
    limit 1`;
  if (!free) return null;
  const artifact_key = `projects/${project_id}/checkpoints/${id}`;
  return { slot: free.slot, label: id, folder_name: id, artifact_key, is_default: false };
}

/**
 * Adds a row to a list: a copy of one that is there, made at another time.
 *
 * @param time as PostgreSQL reads it
 * @returns its id; null where the list takes no more
 */
export async function addListRow(
  sql: Sql,
  operation: string,
  { like, time }: { like: string; time: string },
): Promise<string | null> {
  const { table, time: timeColumn = "created_at", differs } = listTables[operation]!;
  const id = newId();
  const [template] = await sql<{ row: Row }[]>`
    select to_jsonb(one) as row from ${sql(table)} as one where id = ${like}`;
  const different = (await differs?.(sql, id, template!.row)) ?? (differs ? null : {});
  if (different === null) return null;
  const row = { ...template!.row, ...different, id, [timeColumn]: time };
  await sql.begin(async (tx) => {
    // Past the triggers: nobody made it.
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into ${tx(table)}
      select (jsonb_populate_record(null::${tx(table)}, ${JSON.stringify(row)}::text::jsonb)).*`;
  });
  return id;
}

export async function removeListRow(sql: Sql, operation: string, id: string): Promise<void> {
  await sql`delete from ${sql(listTables[operation]!.table)} where id = ${id}`;
}
