import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";

/** Every folder that a row owns, as a query for `key`. A project owns all that is below its folder. */
export const ownedKeys = ownedKeysOf(() => sql`true`);

/** Which of the keys rows own: what does not lie in the folder of its row's project is nobody's. */
export async function ownedAmong(
  db: Pick<Database, "execute">,
  keys: readonly string[],
): Promise<Set<string>> {
  const projectIds = new Set(
    keys.flatMap(
      (key) => /^projects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/.exec(key)?.[1] ?? [],
    ),
  );
  if (projectIds.size === 0) return new Set();
  const ids = sql.join(
    [...projectIds].map((id) => sql`${id}::uuid`),
    sql`, `,
  );
  const owned = ownedKeysOf((projectId) => sql`${projectId} in (${ids})`);
  const rows = await db.execute<{ key: string }>(
    sql`select key from (${owned}) owned where key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** @param isOf of which projects the rows are; each table finds those by an index */
function ownedKeysOf(isOf: (projectId: SQL) => SQL): SQL {
  const ofProject = isOf(sql`project_id`);
  return sql`
    select artifact_key as key from datasets where ${ofProject}
    union all select artifact_key from uploads where ${ofProject}
    union all select artifact_key from models where ${ofProject}
    union all select artifact_key from checkpoints where ${ofProject}
    union all select input_key from scenarios where ${ofProject} and input_key is not null
    union all select 'projects/' || project_id || '/scenarios/' || id || '/others' from scenarios where ${ofProject}
    union all select 'projects/' || project_id || '/scenarios/' || id || '/sent' from scenarios
      where ${ofProject} and input_key is null
    union all select 'projects/' || id from projects where ${isOf(sql`id`)}`;
}
