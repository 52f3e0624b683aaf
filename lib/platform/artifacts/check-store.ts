import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import type { ArtifactStore, Manifest } from "#lib/platform/storage/artifact-store";
import { measured } from "#lib/platform/storage/measure";
import { ArtifactDamagedError, ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import { findOrphans } from "./find-orphans.ts";
import { ownedAmong } from "./owners.ts";

/**
 * Keys of folders by issue: no row owns the folder, the folder of a row is absent, or a file differs from its digest.
 */
type StoreReport = { owned: number; orphans: string[]; missing: string[]; damaged: string[] };

/** `optional`: not every row has this folder. If the folder exists, it must be complete. */
type Needed = { key: string; sha256: string | null; optional: boolean };

/**
 * Compares the whole store with the database, and each file with its SHA-256, while the service runs.
 *
 * @param onFolder called after each folder with the number of folders done
 */
export async function checkStore(
  db: Database,
  store: ArtifactStore,
  onFolder: (done: number, total: number) => void = () => {},
): Promise<StoreReport> {
  const orphans: string[] = [];
  // A worker may have deleted the folder after it was listed.
  for await (const orphan of findOrphans(db, store, new Date()))
    for (const key of orphan) if (await store.exists(key)) orphans.push(key);
  const needed = await neededFolders(db);
  const report: StoreReport = { owned: 0, orphans, missing: [], damaged: [] };
  for (const [index, { key, sha256, optional }] of needed.entries()) {
    const issue = await issueOf(store, key, sha256);
    const isAbsent = issue === "missing" && optional;
    if (!isAbsent) report.owned++;
    // The folder may have been deleted after the list was read.
    if (issue !== null && !isAbsent && (await ownedAmong(db, [key])).has(key)) report[issue].push(key);
    onFolder(index + 1, needed.length);
  }
  return report;
}

async function issueOf(
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
    with existing_runs as (
      select r.* from scenario_runs r join scenarios s on s.id = r.scenario_id where s.deleted_at is null
    )
    select artifact_key as key, sha256, false as optional from models
    union all select artifact_key, sha256, false from checkpoints where state = 'ready'
    union all select distinct part->>'key', null, false from datasets, jsonb_array_elements(parts) part
    union all select artifact_key, null, false from uploads
    union all select input_key, null, false from existing_runs where input_key is not null
    union all select 'projects/' || project_id || '/scenarios/' || id || '/others', null, true from existing_runs
    order by key`);
}

/**
 * Reads every file of a folder and compares it with the manifest.
 *
 * @throws {ArtifactNotFoundError | ArtifactDamagedError}
 */
async function verifyFolder(store: ArtifactStore, key: string): Promise<Manifest> {
  const manifest = await store.readManifest(key);
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    const read = await measured(await store.openRead(key, name));
    if (read.bytes !== bytes || read.sha256 !== sha256) throw new ArtifactDamagedError(key, name);
  }
  return manifest;
}
