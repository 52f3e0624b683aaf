import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client";

/** `projectId` uses the predictions of `upstreamProjectId` as its input feature `featureName`. */
export type DependencyEdge = { projectId: string; upstreamProjectId: string; featureName: string };

/** A project with its direct upstream projects. */
export type DependencyNode = {
  projectId: string;
  upstream: { projectId: string; featureName: string }[];
};

/**
 * Returns the project's direct and indirect upstream projects in topological order, and the project last. Also
 * terminates for rows that form a cycle, which `wouldCycle` prevents from being stored. The order then ignores the edge
 * that closes the cycle.
 */
export function orderDependencies(edges: readonly DependencyEdge[], projectId: string): DependencyNode[] {
  const edgesOf = Map.groupBy(edges, (edge) => edge.projectId);
  const seen = new Set<string>();
  const ordered: DependencyNode[] = [];
  // An explicit stack, because a chain of projects may be deeper than the call stack.
  const stack: { id: string; expanded: boolean }[] = [{ id: projectId, expanded: false }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const upstream = (edgesOf.get(item.id) ?? []).map((edge) => ({
      projectId: edge.upstreamProjectId,
      featureName: edge.featureName,
    }));
    if (item.expanded) {
      ordered.push({ projectId: item.id, upstream });
      continue;
    }
    if (seen.has(item.id)) continue;
    seen.add(item.id);
    stack.push({ id: item.id, expanded: true });
    for (const { projectId: id } of upstream.toReversed()) stack.push({ id, expanded: false });
  }
  return ordered;
}

/**
 * Returns the cycle that would arise if the project depended on `upstreamIds` instead of its upstream projects in
 * `edges`. The cycle starts and ends with the project. Null: no cycle.
 */
export function wouldCycle(
  edges: readonly DependencyEdge[],
  projectId: string,
  upstreamIds: readonly string[],
): string[] | null {
  const upstreamsOf = Map.groupBy(
    edges.filter((edge) => edge.projectId !== projectId),
    (edge) => edge.projectId,
  );
  const cameFrom = new Map<string, string>();
  const queue: string[] = [];
  const visit = (id: string, from: string) => {
    if (cameFrom.has(id)) return;
    cameFrom.set(id, from);
    queue.push(id);
  };
  for (const id of upstreamIds) visit(id, projectId);
  for (let at = 0; at < queue.length && !cameFrom.has(projectId); at++) {
    const id = queue[at]!;
    for (const { upstreamProjectId } of upstreamsOf.get(id) ?? []) visit(upstreamProjectId, id);
  }
  if (!cameFrom.has(projectId)) return null;
  const path = [projectId];
  for (let id = cameFrom.get(projectId)!; id !== projectId; id = cameFrom.get(id)!) path.unshift(id);
  return [projectId, ...path];
}

/** Returns every edge at or above the projects, by following dependencies upstream. */
export async function dependencyEdges(
  db: Queryable,
  projectIds: readonly string[],
): Promise<DependencyEdge[]> {
  if (projectIds.length === 0) return [];
  const from = sql.join(
    projectIds.map((id) => sql`${id}::uuid`),
    sql`, `,
  );
  // UNION, not UNION ALL, so known rows are not followed again. OFFSET 0 forces an index lookup per row, despite the
  // planner's row estimates.
  const rows = await db.execute<DependencyEdge>(sql`
    with recursive edges as (
      select project_id, upstream_project_id, feature_name from project_dependencies where project_id in (${from})
      union
      select next.* from edges, lateral (
        select project_id, upstream_project_id, feature_name from project_dependencies
        where project_id = edges.upstream_project_id offset 0
      ) next
    )
    select project_id as "projectId", upstream_project_id as "upstreamProjectId", feature_name as "featureName"
    from edges order by feature_name`);
  return [...rows];
}

/** Returns the stored dependencies of a project in topological order, upstream projects first, the project last. */
export async function dependencyGraph(db: Queryable, projectId: string): Promise<DependencyNode[]> {
  return orderDependencies(await dependencyEdges(db, [projectId]), projectId);
}
