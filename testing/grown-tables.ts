import type { ISql, Sql } from "postgres";

type Column = { table: string; name: string; type: string };

/** Whatever the row that is multiplied says: these are as of most rows in a service that has run for long. */
const usual: Record<string, string> = {
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

/** Texts that are unique, or that rows are found by. */
const isKey = /^(id|hash|key|label|folder_name|feature_name|email|token|subject|owner|identifier)$/;

/**
 * Multiplies a row of each table of the service that has one, past constraints and triggers, and gathers statistics. Of
 * 500 projects each has its share.
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
  if (name in usual) return usual[name]!;
  const sample = `row."${name}"`;
  const whereGiven = (value: string) => `case when ${sample} is null then null else ${value} end`;
  if (type === "uuid") {
    // What it is the id of: `projects.id` and `upstream_project_id` are of a project.
    const thing = name === "id" ? table.replace(/s$/, "") : name.replace(/_id$/, "").replace(/^.*_/, "");
    const number = name === "project_id" ? "i % 500" : "i";
    return whereGiven(`md5('${thing}' || (${number}))::uuid`);
  }
  if (type === "text" && (isKey.test(name) || name === "user_id")) return whereGiven(`'${name}' || i`);
  if (type.startsWith("timestamp")) return whereGiven("now() - i * interval '1 second'");
  return sample;
}
