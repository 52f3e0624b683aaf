import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { type OpenModel, openModel } from "./open-model.ts";
import { servingModel } from "./serving-model.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/**
 * Opens upstream models: of a project in `pinned` its checkpoint, as long as it is there; of any other the one that
 * serves it. Each is looked up once.
 *
 * @param pinned project → checkpoint
 */
export function servingModels(
  db: Pick<Database, "select">,
  pinned: ReadonlyMap<string, string> = new Map(),
): UpstreamModels {
  const opened = new Map<string, Promise<OpenModel | null>>();
  const open = async (projectId: string): Promise<OpenModel | null> => {
    const found =
      (await pinnedModel(db, projectId, pinned.get(projectId))) ?? (await servingModel(db, projectId));
    return found ? openModel(found.artifactKey, found.sha256) : null;
  };
  return (projectId) => {
    const known = opened.get(projectId) ?? open(projectId);
    opened.set(projectId, known);
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
