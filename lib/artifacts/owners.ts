import { sql } from "drizzle-orm";
import type { Database } from "#db/client";

/** Every folder that a row owns, as a query for `key`. A project owns all that is below its folder. */
export const ownedKeys = sql`
  select artifact_key as key from datasets
  union all select artifact_key from uploads
  union all select artifact_key from models
  union all select artifact_key from checkpoints
  union all select input_key from scenarios where input_key is not null
  union all select 'projects/' || project_id || '/scenarios/' || id || '/others' from scenarios
  union all select 'projects/' || project_id || '/scenarios/' || id || '/sent' from scenarios where input_key is null
  union all select 'projects/' || id from projects`;

/** Which of the keys rows own. */
export async function ownedAmong(
  db: Pick<Database, "execute">,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.execute<{ key: string }>(
    sql`select key from (${ownedKeys}) owned where key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`,
  );
  return new Set(rows.map(({ key }) => key));
}
