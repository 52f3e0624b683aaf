import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { artifactDigest } from "#lib/models/artifact-digest";
import type { ArtifactStore } from "#lib/storage/artifact-store";
import { ArtifactDamagedError, ArtifactNotFoundError } from "#lib/storage/storage-errors";
import { verifyFolder } from "#lib/storage/verify-folder";
import { findOrphans } from "./find-orphans.ts";
import { ownedAmong } from "./owners.ts";

/** Keys of folders that no row owns, that a row owns and that are not there, and whose files are not what was written. */
export type StoreReport = { owned: number; orphans: string[]; missing: string[]; damaged: string[] };

type Needed = { key: string; sha256: string | null };

/**
 * Holds the whole store against the database, every file by its SHA-256, while the service goes on.
 *
 * @param onFolder told after each folder how many of them are done
 */
export async function checkStore(
  db: Database,
  store: ArtifactStore,
  onFolder: (done: number, total: number) => void = () => {},
): Promise<StoreReport> {
  const orphans: string[] = [];
  for await (const found of findOrphans(db, store, { olderThanMs: 0 })) orphans.push(...found);
  const needed = await neededFolders(db);
  const report: StoreReport = { owned: needed.length, orphans, missing: [], damaged: [] };
  for (const [index, { key, sha256 }] of needed.entries()) {
    const fault = await faultOf(store, key, sha256);
    // It may have been deleted since the list was made.
    if (fault !== null && (await ownedAmong(db, [key])).has(key)) report[fault].push(key);
    onFolder(index + 1, needed.length);
  }
  return report;
}

async function faultOf(
  store: ArtifactStore,
  key: string,
  sha256: string | null,
): Promise<"missing" | "damaged" | null> {
  try {
    const manifest = await verifyFolder(store, key);
    return sha256 === null || artifactDigest(manifest) === sha256 ? null : "damaged";
  } catch (error) {
    if (error instanceof ArtifactNotFoundError) return "missing";
    if (error instanceof ArtifactDamagedError) return "damaged";
    throw error;
  }
}

/** Folders without which a row is worth nothing; a model's and a checkpoint's with their digest. */
async function neededFolders(db: Database): Promise<Needed[]> {
  return db.execute<Needed>(sql`
    select artifact_key as key, sha256 from models
    union all select artifact_key, sha256 from checkpoints where state = 'ready'
    union all select artifact_key, null from datasets
    union all select artifact_key, null from uploads
    union all select input_key, null from scenarios where input_key is not null and deleted_at is null
    order by key`);
}
