import type { Sql, TransactionSql } from "postgres";

export type TableShape = { name: string; columns: string[] };

/** The tables of the service in the order of their names, with the columns that hold data of their own. */
export async function readTables(sql: Sql | TransactionSql): Promise<TableShape[]> {
  return sql<TableShape[]>`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    group by table_name order by table_name collate "C"`;
}

/** Which migration the database is at: the hash of the latest. */
export async function latestMigration(sql: Sql | TransactionSql): Promise<string> {
  const [row] = await sql<{ hash: string }[]>`
    select hash from drizzle.__drizzle_migrations order by created_at desc limit 1`;
  return row!.hash;
}

/** Keys of the artifacts without which a row of the database is worth nothing. */
export async function ownedArtifacts(sql: Sql | TransactionSql): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select artifact_key as key from checkpoints where state = 'ready'
    union select artifact_key from models union select artifact_key from datasets
    union select input_key from scenarios where input_key is not null and deleted_at is null`;
  return rows.map(({ key }) => key);
}
