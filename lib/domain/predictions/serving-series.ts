import type { Database } from "#db/client";
import { openModel } from "#lib/domain/models/open-model";
import { upstreamFolders } from "#lib/domain/models/upstream-folders";
import { PinnedSeries } from "#lib/domain/scenarios/run/pinned-series";

/**
 * Returns a project's model with the models of its upstream projects, and the rows known of their series today.
 *
 * @param chosen the checkpoint or, without a checkpoint, the current model
 */
export async function servingSeries(
  db: Database,
  projectId: string,
  { checkpointId, artifactKey, sha256 }: { checkpointId: string | null; artifactKey: string; sha256: string },
): Promise<PinnedSeries> {
  const { upstream } = await openModel(artifactKey, sha256);
  const folders = upstream.length > 0 ? await upstreamFolders(db, { projectId, checkpointId }) : new Map();
  return new PinnedSeries(db, new Map([...folders, [projectId, { artifactKey, sha256 }]]));
}
