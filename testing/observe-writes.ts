import type { Sql } from "postgres";

/** One write of a row. `what` is the action of a new audit entry, and the name of a new event. */
export type Write = { transaction: string; table: string; what: string | null };

/** Tables whose rows only accompany a change. */
const companions = ["audit_log", "outbox_events", "idempotency_keys", "connection_ends"];

/**
 * Observes all writes in a database from now on.
 *
 * @returns a function that returns what was written while another function ran
 */
export async function observeWrites(sql: Sql): Promise<(act: () => Promise<void>) => Promise<Write[]>> {
  await sql`create schema observed`;
  await sql`create table observed.writes (transaction text not null, "table" text not null, what text)`;
  await sql.unsafe(`create function observed.note() returns trigger language plpgsql as $$ begin
    insert into observed.writes values (pg_current_xact_id()::text, tg_table_name,
      case when tg_op = 'INSERT' and tg_table_name = 'audit_log' then to_jsonb(new) ->> 'action'
        when tg_op = 'INSERT' and tg_table_name = 'outbox_events' then to_jsonb(new) ->> 'name' end);
    return null;
  end $$`);
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  for (const { name } of tables) {
    await sql`create trigger observed_writes after insert or update or delete on ${sql(name)}
      for each row execute function observed.note()`;
  }
  return async (act) => {
    await sql`truncate observed.writes`;
    await act();
    return sql<Write[]>`select * from observed.writes`;
  };
}

/** Returns the audit entries and events of transactions that changed nothing else. */
export function writtenAlone(writes: readonly Write[]): (string | null)[] {
  const changing = new Set(
    writes.filter(({ table }) => !companions.includes(table)).map(({ transaction }) => transaction),
  );
  return writes
    .filter(({ what, transaction }) => what !== null && !changing.has(transaction))
    .map(({ what }) => what);
}
