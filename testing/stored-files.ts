import type { Sql } from "postgres";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";

/**
 * Compares rows and files where nothing is under way: what is there has all of its files ("either present or deleted"),
 * and no file is left of what is not, but what is to be removed.
 *
 * @throws {Error} naming every folder that is missing, damaged, or nobody's
 */
export async function checkStoredFiles(sql: Sql, store: ArtifactStore): Promise<void> {
  const saved = await sql<{ key: string; sha256: string }[]>`
    select artifact_key as key, sha256 from checkpoints where state = 'ready'
    union all select artifact_key, sha256 from models`;
  const present = await sql<{ key: string }[]>`
    select artifact_key as key from datasets union all select artifact_key from uploads
    union all select input_key from scenarios where input_key is not null and deleted_at is null`;
  const scenarios = await sql<{ folder: string }[]>`
    select 'projects/' || project_id || '/scenarios/' || id as folder from scenarios`;
  const loose = await sql<{ key: string }[]>`select key from loose_artifacts`;
  const folders = await store.listFolders("projects");
  const faults: string[] = [];
  for (const { key, sha256 } of saved) {
    const whole = (await store.exists(key)) && artifactDigest(await store.readManifest(key)) === sha256;
    if (!whole) faults.push(`${key} is not what was saved`);
  }
  for (const { key } of present) if (!folders.includes(key)) faults.push(`${key} is missing`);
  const owned = new Set([...saved, ...present].map(({ key }) => key));
  const isBelow = (key: string, folder: string) => key.startsWith(`${folder}/`) || key === folder;
  const isKnown = (key: string) =>
    owned.has(key) ||
    scenarios.some(({ folder }) => isBelow(key, folder)) ||
    loose.some((one) => isBelow(key, one.key));
  for (const key of folders) if (!isKnown(key)) faults.push(`${key} belongs to nobody`);
  if (faults.length > 0) throw new Error(`Rows and files do not agree:\n${faults.join("\n")}`);
}
