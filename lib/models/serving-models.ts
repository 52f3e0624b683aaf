import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { dependencyClosure } from "#lib/projects/dependency-graph";
import { type OpenModel, openModel } from "./open-model.ts";
import { servingModel } from "./serving-model.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/**
 * Opens models of the projects that `projectId` depends on, directly or through others: of one in `pinned` its
 * checkpoint, as long as it is there; of any other the one that serves it. Each is looked up once. A project that was a
 * dependency when a model was trained and is none any more has no model here: its predictions are not open any more.
 *
 * @param pinned project → checkpoint
 */
export function servingModels(
  db: Database,
  projectId: string,
  pinned: ReadonlyMap<string, string> = new Map(),
): UpstreamModels {
  const opened = new Map<string, Promise<OpenModel | null>>();
  let closure: ReturnType<typeof dependencyClosure> | undefined;
  const open = async (upstreamId: string): Promise<OpenModel | null> => {
    closure ??= dependencyClosure(db, projectId);
    if (!(await closure).some((node) => node.projectId === upstreamId)) return null;
    const found =
      (await pinnedModel(db, upstreamId, pinned.get(upstreamId))) ?? (await servingModel(db, upstreamId));
    return found ? openModel(found.artifactKey, found.sha256) : null;
  };
  return (upstreamId) => {
    const known = opened.get(upstreamId) ?? open(upstreamId);
    opened.set(upstreamId, known);
    return known;
  };
}

async function pinnedModel(
  db: Pick<Database, "select">,
  projectId: string,
  checkpointId: string | undefined,
) {
  if (checkpointId === undefined) return undefined;
  const [row] = await db
    .select({ artifactKey: checkpoints.artifactKey, sha256: checkpoints.sha256 })
    .from(checkpoints)
    .where(
      and(
        eq(checkpoints.projectId, projectId),
        eq(checkpoints.state, "ready"),
        eq(checkpoints.id, checkpointId),
      ),
    );
  return row;
}
