import type { Database } from "#db/client";
import { dependencyGraph } from "#lib/domain/projects/dependency-graph";
import { memoize } from "#lib/platform/concurrency/memoize";
import { type OpenModel, openModel } from "./open-model.ts";
import { servingModel } from "./serving-model.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/**
 * Opens the serving models of the projects that `projectId` depends on, directly or indirectly. Each is looked up
 * once. A project that is no longer a dependency has no model here, because its predictions are no longer accessible.
 */
export function servingModels(db: Database, projectId: string): UpstreamModels {
  const opened = new Map<string, Promise<OpenModel | null>>();
  let graph: ReturnType<typeof dependencyGraph> | undefined;
  const open = async (upstreamId: string): Promise<OpenModel | null> => {
    graph ??= dependencyGraph(db, projectId);
    if (!(await graph).some((node) => node.projectId === upstreamId)) return null;
    const found = await servingModel(db, upstreamId);
    return found ? openModel(found.artifactKey, found.sha256) : null;
  };
  return (upstreamId) => memoize(opened, upstreamId, () => open(upstreamId));
}
