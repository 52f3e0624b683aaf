import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpointDependencies, checkpoints } from "#db/schema/checkpoints";
import { dependencyGraph } from "#lib/domain/projects/dependency-graph";
import { servingModel } from "./serving-model.ts";

type Folder = { artifactKey: string; sha256: string };

/**
 * Returns the model folders of the projects that `projectId` depends on, directly or indirectly. A project with a
 * pinned checkpoint that still exists uses that checkpoint; any other uses its serving model. A project that is no
 * longer a dependency has no folder here, because its predictions are no longer accessible.
 *
 * @param checkpointId checkpoint whose pinned upstream checkpoints are used; null: every project's serving model
 * @returns project → folder of the artifact store, and the digest of its content
 */
export async function upstreamFolders(
  db: Database,
  { projectId, checkpointId }: { projectId: string; checkpointId: string | null },
): Promise<Map<string, Folder>> {
  const graph = (await dependencyGraph(db, projectId)).map((node) => node.projectId);
  const ids = graph.filter((id) => id !== projectId);
  if (ids.length === 0) return new Map();
  const pinned = checkpointId === null ? [] : await pinnedFolders(db, checkpointId, ids);
  const folders = new Map<string, Folder>(pinned.map((one) => [one.projectId, one]));
  for (const id of ids.filter((one) => !folders.has(one))) {
    const serving = await servingModel(db, id);
    if (serving) folders.set(id, serving);
  }
  return folders;
}

function pinnedFolders(db: Database, checkpointId: string, projectIds: readonly string[]) {
  return db
    .select({
      projectId: checkpoints.projectId,
      artifactKey: checkpoints.artifactKey,
      sha256: checkpoints.sha256,
    })
    .from(checkpointDependencies)
    .innerJoin(checkpoints, eq(checkpoints.id, checkpointDependencies.upstreamCheckpointId))
    .where(
      and(
        eq(checkpointDependencies.checkpointId, checkpointId),
        eq(checkpoints.state, "ready"),
        inArray(checkpoints.projectId, [...projectIds]),
      ),
    );
}
