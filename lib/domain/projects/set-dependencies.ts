import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { projectDependencies, projects } from "#db/schema/projects";
import type { Dependency, Project } from "#lib/contract/projects";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";
import { type Place, standardError } from "#lib/platform/errors/standard-error";
import { dependencyEdges, wouldCycle } from "./dependency-graph.ts";
import { getProject } from "./get-project.ts";
import { lockDependencies, lockProjectRows } from "./lock-project.ts";
import { isVisibleTo } from "./project-role.ts";

type Request = { projectId: string; dependencies: readonly Dependency[] };

/**
 * Replaces a project's dependencies. The upstream projects need no trained model yet. An API key may drop and rename
 * dependencies that an admin declared. Projects outside the key's access do not exist for it, because a dependency
 * would expose their predictions.
 *
 * @throws {DomainError} `project_not_found`, `validation_failed` (duplicates), `dependency_cycle`
 */
export async function setDependencies(ctx: Context, request: Request): Promise<Project> {
  const { projectId } = request;
  const dependencies = request.dependencies.map((item) => ({
    ...item,
    projectId: item.projectId.toLowerCase(),
  }));
  rejectRepetitions(dependencies);
  return ctx.db.transaction(async (tx) => {
    await lockDependencies(tx);
    const names = await visibleProjects(tx, ctx, projectId, dependencies);
    await requireIfMatch(ctx, () => getProject({ db: tx }, { projectId }));
    await rejectCycle(tx, ctx, { projectId, dependencies }, names);
    const former = await tx
      .delete(projectDependencies)
      .where(eq(projectDependencies.projectId, projectId))
      .returning({
        projectId: projectDependencies.upstreamProjectId,
        featureName: projectDependencies.featureName,
      });
    if (dependencies.length > 0) {
      await tx.insert(projectDependencies).values(
        dependencies.map((item) => ({
          projectId,
          upstreamProjectId: item.projectId,
          featureName: item.featureName,
        })),
      );
    }
    await recordChange(tx, ctx, "project.dependencies-set", {
      projectId,
      entityId: projectId,
      label: names.get(projectId) ?? null,
      changes: changesBetween(audited(former), audited(dependencies)),
    });
    return getProject({ db: tx }, { projectId });
  });
}

/** Returns dependencies as the audit log shows them: feature → upstream project. */
const audited = (dependencies: readonly Dependency[]) => ({
  dependencies: Object.fromEntries(dependencies.map((item) => [item.featureName, item.projectId])),
});

function rejectRepetitions(dependencies: readonly Dependency[]): void {
  const details = (["projectId", "featureName"] as const).flatMap((name) =>
    dependencies.flatMap((item, index): ErrorDetail[] => {
      if (dependencies.findIndex((other) => other[name] === item[name]) === index) return [];
      const message = `dependencies.${index}.${name} repeats ${JSON.stringify(item[name])}`;
      return [{ field: `dependencies.${index}.${name}`, value: item[name], code: "repeated", message }];
    }),
  );
  if (details.length === 0) return;
  const message = "Use each upstream project and each feature name only once.";
  throw new DomainError("validation_failed", message, { details });
}

/**
 * Locks the project and its upstream projects, and returns their names by ID.
 *
 * @throws {DomainError} `project_not_found` with every project that does not exist for the caller
 */
async function visibleProjects(
  tx: Transaction,
  { actor }: Context,
  projectId: string,
  dependencies: readonly Dependency[],
): Promise<Map<string, string>> {
  const existing = await lockProjectRows(tx, [projectId, ...dependencies.map((item) => item.projectId)]);
  const names = new Map([...existing.values()].map(({ id, name }) => [id, name]));
  if (!names.has(projectId)) throw standardError("project_not_found");
  const permitted = await permittedUpstreams(tx, actor, projectId, [...names.keys()]);
  const absent = dependencies.flatMap((item, index): Place[] => {
    const visible = item.projectId === projectId || permitted.has(item.projectId);
    if (visible && names.has(item.projectId)) return [];
    return [{ field: `dependencies.${index}.projectId`, id: item.projectId }];
  });
  if (absent.length > 0) throw standardError("project_not_found", ...absent);
  return names;
}

/**
 * Returns the upstream projects that the caller may name: those declared before, and for a user those of `ids` in which the
 * user has a role.
 */
async function permittedUpstreams(
  tx: Transaction,
  actor: Context["actor"],
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const declared = await tx
    .select({ id: projectDependencies.upstreamProjectId })
    .from(projectDependencies)
    .where(eq(projectDependencies.projectId, projectId));
  const visible =
    actor.kind === "api-key"
      ? []
      : await tx
          .select({ id: projects.id })
          .from(projects)
          .where(and(inArray(projects.id, [...ids]), isVisibleTo(tx, actor)));
  return new Set([...declared, ...visible].map(({ id }) => id));
}

/** @throws {DomainError} `dependency_cycle`, without the names and IDs of projects that do not exist for the caller */
async function rejectCycle(
  tx: Transaction,
  { actor }: Context,
  { projectId, dependencies }: Request,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const upstreamIds = dependencies.map((item) => item.projectId);
  const cycle = wouldCycle(await dependencyEdges(tx, upstreamIds), projectId, upstreamIds);
  if (cycle === null) return;
  const unnamed = cycle.filter((id) => !names.has(id));
  const rows =
    unnamed.length === 0
      ? []
      : await tx
          .select({ id: projects.id, name: projects.name })
          .from(projects)
          .where(and(inArray(projects.id, unnamed), isVisibleTo(tx, actor)));
  const all = new Map([...names, ...rows.map(({ id, name }): [string, string] => [id, name])]);
  const chain = cycle.map((id) => all.get(id) ?? "another project");
  const message = `The dependencies would form a cycle: ${chain.join(" → ")}. Remove one of them.`;
  throw new DomainError("dependency_cycle", message, {
    details: cycle.slice(0, -1).map((id, index) => ({
      field: "dependencies",
      id: all.has(id) ? id : undefined,
      code: "dependency_cycle",
      message: `${chain[index]} would use the predictions of ${chain[index + 1]}.`,
    })),
  });
}
