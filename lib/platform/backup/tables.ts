import type { Sql, TransactionSql } from "postgres";

type TableShape = { name: string; columns: string[] };

/** Returns the tables of the service, sorted by name, with their stored (not generated) columns. */
export async function readTables(sql: Sql | TransactionSql): Promise<TableShape[]> {
  return sql<TableShape[]>`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    group by table_name order by table_name collate "C"`;
}

/** Returns the hash of the latest applied migration. */
export async function latestMigration(sql: Sql | TransactionSql): Promise<string> {
  const [row] = await sql<{ hash: string }[]>`
    select hash from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  return row!.hash;
}

/** Returns the keys of the artifacts that rows need, also in a database of an earlier version, without `parts` or runs. */
export async function ownedArtifacts(sql: Sql | TransactionSql): Promise<string[]> {
  const [found] = await sql<{ hasRuns: boolean }[]>`
    select to_regclass('public.scenario_runs') is not null as "hasRuns"`;
  const inputs = found!.hasRuns
    ? sql`select r.input_key from scenario_runs r join scenarios s on s.id = r.scenario_id
        where r.input_key is not null and s.deleted_at is null`
    : sql`select input_key from scenarios where input_key is not null and deleted_at is null`;
  const rows = await sql<{ key: string }[]>`
    select artifact_key as key from checkpoints where state = 'ready'
    union select artifact_key from models
    union select coalesce(part->>'key', artifact_key) from datasets d
      left join lateral jsonb_array_elements(to_jsonb(d)->'parts') part on true
    union ${inputs}`;
  return rows.map(({ key }) => key);
}
