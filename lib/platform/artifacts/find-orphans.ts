import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { idTime } from "#lib/platform/ids/new-id";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";
import { ownedKeys } from "./owners.ts";

const AT_ONCE = 1_000;

/**
 * Finds folders of the store without a row and without a claim. A claim is recorded before its folder is written and
 * ends in the commit of the row, or after the folder is deleted. So a listed folder that then has neither stays an orphan
 * or is gone.
 *
 * @param before skips folders with a younger id, which a version of the service without claims may be writing
 */
export async function* findOrphans(
  db: Queryable,
  store: ArtifactStore,
  before: Date,
): AsyncGenerator<string[]> {
  for await (const keys of batches(store.eachFolder(""), AT_ONCE)) {
    const old = keys.filter((key) => timeOf(key) <= before.getTime());
    if (old.length > 0) yield unknownAmong(db, old);
  }
}

async function unknownAmong(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const rows = await db.execute<{ key: string }>(sql`
    select seen.key from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) seen(key)
    where not exists (select from (${ownedKeys}) owned where owned.key = seen.key)
      and not exists (select from ${orphanedArtifacts} orphan
        where orphan.key in (seen.key, (regexp_match(seen.key, '^projects/[^/]+'))[1]))`);
  return rows.map(({ key }) => key);
}

/** Returns the creation time of the last id in a key, or 0 for a key without an id. */
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
