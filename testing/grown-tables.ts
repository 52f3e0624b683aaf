import type { ISql, Sql } from "postgres";

type Column = { table: string; name: string; type: string };

/** Values that replace those of the copied row. They are typical of a service that has run for a long time. */
const typical: Record<string, string> = {
  status: "'Completed'",
  state: "'ready'",
  attempt: "1",
  is_default: "false",
  retry_of: "null",
  published_at: "now() - i * interval '1 second'",
  sequence: "1000000000 + i",
  due_at: "now() + i * interval '1 minute'",
  expires_at: "now() + i * interval '1 minute'",
  arrival: "extract(epoch from now()) + i",
  slot: "i / 500",
  chunk: "i % 30000",
  version: "i",
};

/** Names of text columns that are unique or used for lookups. */
const isKey = /^(id|hash|key|label|folder_name|feature_name|email|token|subject|owner|identifier)$/;

/**
 * Copies one row of each table many times, without check constraints and triggers, and updates the statistics. Skips
 * empty tables. Distributes the copies over 500 projects.
 *
 * @returns the tables that have grown
 */
export async function growTables(sql: Sql, rows: number): Promise<string[]> {
  const columns = await sql<Column[]>`
    select table_name as table, column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' order by table_name`;
  const grown: string[] = [];
  await sql.begin(async (tx) => {
    await dropChecks(tx);
    await tx`set local session_replication_role = replica`;
    for (const [table, own] of Object.entries(Object.groupBy(columns, ({ table }) => table))) {
      const values = own!.map((column) => expressionFor(column));
      const names = own!.map(({ name }) => `"${name}"`);
      const { count } = await tx.unsafe(
        `insert into "${table}" (${names}) select ${values} from generate_series(0, ${rows - 1}) as i,
           (select * from "${table}" limit 1) as row`,
      );
      if (count > 0) grown.push(table);
    }
  });
  await sql`vacuum analyze`;
  return grown;
}

async function dropChecks(sql: ISql): Promise<void> {
  const checks = await sql<{ table: string; name: string }[]>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace`;
  for (const { table, name } of checks) await sql.unsafe(`alter table ${table} drop constraint "${name}"`);
}

function expressionFor({ table, name, type }: Column): string {
  if (name in typical) return typical[name]!;
  const sample = `row."${name}"`;
  const unlessNull = (value: string) => `case when ${sample} is null then null else ${value} end`;
  if (type === "uuid") {
    // Entity that the id identifies: `projects.id` and `upstream_project_id` identify a project.
    const entity = name === "id" ? table.replace(/s$/, "") : name.replace(/_id$/, "").replace(/^.*_/, "");
    const number = name === "project_id" ? "i % 500" : "i";
    return unlessNull(`md5('${entity}' || (${number}))::uuid`);
  }
  if (type === "text" && (isKey.test(name) || name === "user_id")) return unlessNull(`'${name}' || i`);
  if (type.startsWith("timestamp")) return unlessNull("now() - i * interval '1 second'");
  return sample;
}
