import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";

/** Query for the `key` of every folder that a row owns. A project owns everything below its folder. */
export const ownedKeys = ownedKeysOf(() => sql`true`);

/** Returns the keys that rows own. Ignores a folder outside the folder of its row's project. */
export async function ownedAmong(db: Queryable, keys: readonly string[]): Promise<Set<string>> {
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

/** @param isOf condition on the project id of the rows; each table has an index for it */
function ownedKeysOf(isOf: (projectId: SQL) => SQL): SQL {
  const ofProject = isOf(sql`project_id`);
  return sql`
    select part->>'key' as key from datasets, jsonb_array_elements(parts) part where ${ofProject}
    union all select artifact_key from uploads where ${ofProject}
    union all select artifact_key from models where ${ofProject}
    union all select artifact_key from checkpoints where ${ofProject}
    union all select input_key from scenario_runs where ${ofProject} and input_key is not null
    union all select 'projects/' || project_id || '/scenarios/' || id || '/others' from scenario_runs where ${ofProject}
    union all select 'projects/' || project_id || '/scenarios/' || id || '/sent' from scenario_runs
      where ${ofProject} and input_key is null
    union all select 'projects/' || id from projects where ${isOf(sql`id`)}`;
}
