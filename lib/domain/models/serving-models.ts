import type { Database } from "#db/client";
import { dependencyClosure } from "#lib/domain/projects/dependency-graph";
import { type OpenModel, openModel } from "./open-model.ts";
import { servingModel } from "./serving-model.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/**
 * Opens models of the projects that `projectId` depends on, directly or through others: the ones that serve them. Each
 * is looked up once. A project that was a dependency when a model was trained and is none any more has no model here:
 * its predictions are not open any more.
 */
export function servingModels(db: Database, projectId: string): UpstreamModels {
  const opened = new Map<string, Promise<OpenModel | null>>();
  let closure: ReturnType<typeof dependencyClosure> | undefined;
  const open = async (upstreamId: string): Promise<OpenModel | null> => {
    closure ??= dependencyClosure(db, projectId);
    if (!(await closure).some((node) => node.projectId === upstreamId)) return null;
    const found = await servingModel(db, upstreamId);
    return found ? openModel(found.artifactKey, found.sha256) : null;
  };
  return (upstreamId) => {
    const known = opened.get(upstreamId) ?? open(upstreamId);
    opened.set(upstreamId, known);
    return known;
  };
}
