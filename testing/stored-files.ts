import type { Sql } from "postgres";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";

/**
 * Compares rows and stored files while no operation runs. Every row has all its files. Every folder belongs to a row or
 * is recorded as an orphan to delete.
 *
 * @throws {Error} naming every folder that is missing, damaged or unreferenced
 */
export async function checkStoredFiles(sql: Sql, store: ArtifactStore): Promise<void> {
  const saved = await sql<{ key: string; sha256: string }[]>`
    select artifact_key as key, sha256 from checkpoints where state = 'ready'
    union all select artifact_key, sha256 from models`;
  const present = await sql<{ key: string }[]>`
    select distinct part->>'key' as key from datasets, jsonb_array_elements(parts) part
    union all select artifact_key from uploads
    union all select input_key from scenario_runs r join scenarios s on s.id = r.scenario_id
      where input_key is not null and deleted_at is null`;
  const scenarios = await sql<{ folder: string }[]>`
    select 'projects/' || project_id || '/scenarios/' || id as folder from scenario_runs`;
  const orphans = await sql<{ key: string }[]>`select key from orphaned_artifacts`;
  const folders = await store.listFolders("projects");
  const issues: string[] = [];
  for (const { key, sha256 } of saved) {
    const intact = (await store.exists(key)) && artifactDigest(await store.readManifest(key)) === sha256;
    if (!intact) issues.push(`${key} is missing or damaged`);
  }
  for (const { key } of present) if (!folders.includes(key)) issues.push(`${key} is missing`);
  const owned = new Set([...saved, ...present].map(({ key }) => key));
  const isBelow = (key: string, folder: string) => key.startsWith(`${folder}/`) || key === folder;
  const isKnown = (key: string) =>
    owned.has(key) ||
    scenarios.some(({ folder }) => isBelow(key, folder)) ||
    orphans.some((orphan) => isBelow(key, orphan.key));
  for (const key of folders) if (!isKnown(key)) issues.push(`${key} is not referenced by any row`);
  if (issues.length > 0) throw new Error(`Rows and files do not match:\n${issues.join("\n")}`);
}
