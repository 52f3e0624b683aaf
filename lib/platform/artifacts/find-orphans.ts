import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { looseArtifacts } from "#db/schema/artifacts";
import { idTime } from "#lib/platform/ids/new-id";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";
import { ownedKeys } from "./owners.ts";

const AT_ONCE = 1_000;

/**
 * Folders of the store of which the database knows nothing: neither a row owns them, nor is it recorded that they are
 * being written or are to be removed. As that record is made before a folder and ends in the commit of its owner, a
 * folder that is in neither place after it was seen is nobody's for good.
 *
 * @param olderThanMs leaves out what has an id made since then: of a version of the service that did not keep the record
 */
export async function* findOrphans(
  db: Pick<Database, "execute">,
  store: ArtifactStore,
  { olderThanMs }: { olderThanMs: number },
): AsyncGenerator<string[]> {
  for await (const keys of batches(store.eachFolder(""), AT_ONCE)) {
    const before = Date.now() - olderThanMs;
    const old = keys.filter((key) => timeOf(key) <= before);
    if (old.length > 0) yield unknownAmong(db, old);
  }
}

async function unknownAmong(db: Pick<Database, "execute">, keys: readonly string[]): Promise<string[]> {
  const rows = await db.execute<{ key: string }>(sql`
    select seen.key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) seen(key)
    where not exists (select from (${ownedKeys}) owned where owned.key = seen.key)
      and not exists (select from ${looseArtifacts} loose
        where loose.key in (seen.key, (regexp_match(seen.key, '^projects/[^/]+'))[1]))`);
  return rows.map(({ key }) => key);
}

/** When the last id in a key was made; 0 for a key without one. */
function timeOf(key: string): number {
  const ids = key.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g);
  return ids === null ? 0 : idTime(ids.at(-1)!);
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
