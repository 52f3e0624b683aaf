import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";
import { ArtifactDamagedError, ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import { verifyFolder } from "#lib/storage/verify-folder";
import { findOrphans } from "./find-orphans.ts";
import { ownedAmong } from "./owners.ts";

/** Keys of folders that no row owns, that a row owns and that are not there, and whose files are not what was written. */
export type StoreReport = { owned: number; orphans: string[]; missing: string[]; damaged: string[] };

/** `optional`: not every row has this folder; where there is one, it must be whole. */
type Needed = { key: string; sha256: string | null; optional: boolean };

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
  const report: StoreReport = { owned: 0, orphans, missing: [], damaged: [] };
  for (const [index, { key, sha256, optional }] of needed.entries()) {
    const fault = await faultOf(store, key, sha256);
    const isAbsent = fault === "missing" && optional;
    if (!isAbsent) report.owned++;
    // It may have been deleted since the list was made.
    if (fault !== null && !isAbsent && (await ownedAmong(db, [key])).has(key)) report[fault].push(key);
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

/** Folders that rows own; a model's and a checkpoint's with their digest. */
async function neededFolders(db: Database): Promise<Needed[]> {
  return db.execute<Needed>(sql`
    select artifact_key as key, sha256, false as optional from models
    union all select artifact_key, sha256, false from checkpoints where state = 'ready'
    union all select artifact_key, null, false from datasets
    union all select artifact_key, null, false from uploads
    union all select input_key, null, false from scenarios where input_key is not null and deleted_at is null
    union all select 'projects/' || project_id || '/scenarios/' || id || '/others', null, true from scenarios
      where deleted_at is null
    order by key`);
}
