import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpointDependencies, checkpoints } from "#db/schema/checkpoints";
import { currentDataset, type DatasetRow } from "#lib/domain/datasets/current-dataset";
import { openModel } from "#lib/domain/models/open-model";
import { servingModel } from "#lib/domain/models/serving-model";
import { dependencyGraph } from "#lib/domain/projects/dependency-graph";
import { LinkedSeries } from "./linked-series.ts";

type Folder = { artifactKey: string; sha256: string };

/**
 * Returns a project's model with the models of its upstream projects, and the rows known of their series today.
 *
 * @param chosen the model of the project. With a checkpoint, upstream projects use the checkpoints pinned by it.
 */
export async function servingSeries(
  db: Database,
  projectId: string,
  { checkpointId, artifactKey, sha256 }: Folder & { checkpointId: string | null },
): Promise<LinkedSeries> {
  const { upstream } = await openModel(artifactKey, sha256);
  const folders = upstream.length > 0 ? await upstreamFolders(db, projectId, checkpointId) : new Map();
  return new LinkedSeries(db, new Map([...folders, [projectId, { artifactKey, sha256 }]]));
}

/** A project's model, those of its upstream projects, and their datasets: plain data, from which a thread makes `LinkedSeries`. */
export type SeriesSources = { folders: Map<string, Folder>; datasets: Map<string, DatasetRow | null> };

/** Reads the sources of `servingSeries`. Opens no model, because opening one of many series would block this thread. */
export async function seriesSources(
  db: Database,
  projectId: string,
  { checkpointId, artifactKey, sha256 }: Folder & { checkpointId: string | null },
): Promise<SeriesSources> {
  const folders = new Map(await upstreamFolders(db, projectId, checkpointId));
  folders.set(projectId, { artifactKey, sha256 });
  const ids = [...folders.keys()];
  const datasets = await Promise.all(ids.map((id) => currentDataset(db, id)));
  return { folders, datasets: new Map(ids.map((id, at) => [id, datasets[at]!])) };
}

/**
 * Returns the model folders of the projects that `projectId` depends on, directly or indirectly. A project with a
 * pinned checkpoint that still exists uses that checkpoint; any other uses its serving model. A project that is no
 * longer a dependency has no folder here, because its predictions are no longer accessible.
 *
 * @param checkpointId checkpoint whose pinned upstream checkpoints are used; null: every project's serving model
 */
export async function upstreamFolders(
  db: Database,
  projectId: string,
  checkpointId: string | null,
): Promise<Map<string, Folder>> {
  const ids = (await dependencyGraph(db, projectId)).slice(0, -1).map((node) => node.projectId);
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
