import { and, eq, inArray, isNull, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { models } from "#db/schema/models";
import { projects } from "#db/schema/projects";
import type { CreateScenario } from "#lib/contract/scenarios";
import { dependencyHasNoModelError, noTrainedModelError } from "#lib/domain/checkpoints/checkpoint-errors";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { type DependencyNode, dependencyGraph } from "#lib/domain/projects/dependency-graph";
import { standardError } from "#lib/platform/errors/standard-error";
import { validatePinnedCheckpoints } from "../scenario-request.ts";

/** The model that a scenario uses in one project: a checkpoint's, or the current model, which is saved as a checkpoint. */
type ChosenModel = {
  projectId: string;
  checkpointId: string | null;
  modelId: string | null;
  artifactKey: string;
};

export type ChosenModels = {
  main: ChosenModel;
  /** In topological order, upstream projects first. */
  upstreams: ChosenModel[];
  graph: DependencyNode[];
};

/** Returns project → folder of its model. */
export const modelFolders = ({ main, upstreams }: ChosenModels): Map<string, string> =>
  new Map([...upstreams, main].map((one) => [one.projectId, one.artifactKey]));

/**
 * Resolves the models that a scenario uses.
 *
 * @throws {DomainError} dependency_has_no_model, and the errors of `resolveMain` and `validatePinnedCheckpoints`
 */
export async function resolveModels(
  db: Queryable,
  {
    projectId,
    checkpointId,
    dependentProjectCheckpoints,
  }: Pick<CreateScenario, "checkpointId" | "dependentProjectCheckpoints"> & { projectId: string },
): Promise<ChosenModels> {
  const main = await resolveMain(db, projectId, checkpointId?.toLowerCase() ?? null);
  const graph = await dependencyGraph(db, projectId);
  const pinnedCheckpoints = validatePinnedCheckpoints(graph, dependentProjectCheckpoints);
  const ids = graph.slice(0, -1).map((node) => node.projectId);
  const pinned = await pinnedModels(db, pinnedCheckpoints);
  const saved = await currentModels(
    db,
    ids.filter((id) => pinnedCheckpoints.get(id) === null),
  );
  return { main, upstreams: ids.map((id) => (pinned.get(id) ?? saved.get(id))!), graph };
}

/**
 * Returns the model of a project's checkpoint, or without a checkpoint the project's current model.
 *
 * @throws {DomainError} checkpoint_not_found, project_not_found, no_trained_model
 */
export async function resolveMain(
  db: Queryable,
  projectId: string,
  checkpointId: string | null,
): Promise<ChosenModel> {
  if (checkpointId !== null) {
    const { modelId, artifactKey } = await findCheckpoint(db, {
      projectId,
      checkpointId,
      field: "checkpointId",
    });
    return { projectId, checkpointId, modelId, artifactKey };
  }
  const [row] = await selectCurrentModels(db, [projectId]);
  if (row === undefined) throw standardError("project_not_found");
  if (row.modelId === null || row.artifactKey === null)
    throw noTrainedModelError({ id: projectId, name: row.name });
  return { projectId, checkpointId: null, modelId: row.modelId, artifactKey: row.artifactKey };
}

async function pinnedModels(
  db: Queryable,
  pinnedCheckpoints: ReadonlyMap<string, string | null>,
): Promise<Map<string, ChosenModel>> {
  const pins = [...pinnedCheckpoints].flatMap(([projectId, checkpointId]) =>
    checkpointId === null ? [] : [{ projectId, checkpointId }],
  );
  if (pins.length === 0) return new Map();
  const rows = await db
    .select({
      projectId: checkpoints.projectId,
      checkpointId: checkpoints.id,
      modelId: checkpoints.modelId,
      artifactKey: checkpoints.artifactKey,
    })
    .from(checkpoints)
    .where(
      and(
        eq(checkpoints.state, "ready"),
        or(
          ...pins.map((pin) =>
            and(eq(checkpoints.projectId, pin.projectId), eq(checkpoints.id, pin.checkpointId)),
          ),
        ),
      ),
    );
  const rowOf = new Map(rows.map((row) => [row.projectId, row]));
  const absent = pins.filter(({ projectId }) => !rowOf.has(projectId));
  if (absent.length > 0) {
    const places = absent.map(({ projectId, checkpointId: id }) => ({
      field: `dependentProjectCheckpoints.${projectId}`,
      id,
    }));
    throw standardError("checkpoint_not_found", ...places);
  }
  return rowOf;
}

async function currentModels(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, ChosenModel>> {
  const rows = await selectCurrentModels(db, projectIds);
  const without = rows.filter(({ modelId }) => modelId === null);
  if (without.length > 0)
    throw dependencyHasNoModelError(without.map(({ projectId: id, name }) => ({ id, name })));
  return new Map(
    rows.map(({ projectId, modelId, artifactKey }) => [
      projectId,
      { projectId, checkpointId: null, modelId, artifactKey: artifactKey! },
    ]),
  );
}

async function selectCurrentModels(db: Queryable, projectIds: readonly string[]) {
  if (projectIds.length === 0) return [];
  return db
    .select({
      projectId: projects.id,
      name: projects.name,
      modelId: models.id,
      artifactKey: models.artifactKey,
    })
    .from(projects)
    .leftJoin(models, eq(models.id, projects.currentModelId))
    .where(and(inArray(projects.id, [...projectIds]), isNull(projects.deletedAt)));
}
