import { sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";

/** `projectId` uses the predictions of `upstreamProjectId` as its input feature `featureName`. */
export type DependencyEdge = { projectId: string; upstreamProjectId: string; featureName: string };

/** A project with the projects whose predictions it uses directly. */
export type DependencyNode = {
  projectId: string;
  upstream: { projectId: string; featureName: string }[];
};

/**
 * The project and everything that it depends on, directly or through others, upstreams first; the project itself is
 * the last. Ends also for rows that form a cycle, which `wouldCycle` keeps from being stored: the edge that closes
 * it then decides nothing.
 */
export function orderDependencies(edges: readonly DependencyEdge[], projectId: string): DependencyNode[] {
  const edgesOf = Map.groupBy(edges, (edge) => edge.projectId);
  const seen = new Set<string>();
  const ordered: DependencyNode[] = [];
  // A stack of our own: a chain of projects may be longer than the call stack is deep.
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
 * The cycle that would arise if the project depended on `upstreamIds` (in place of what it depends on in `edges`):
 * the projects from the project round to itself; null where there is none.
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

/** Every edge at or above the projects, by following dependencies upwards. */
export async function dependencyEdges(
  db: Database | Transaction,
  projectIds: readonly string[],
): Promise<DependencyEdge[]> {
  if (projectIds.length === 0) return [];
  const from = sql.join(
    projectIds.map((id) => sql`${id}::uuid`),
    sql`, `,
  );
  // UNION, not UNION ALL: rows already found are not followed again. OFFSET 0: each is followed by the index, however
  // many there may be by the planner's guess.
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

/** The stored dependencies of a project in topological order, upstreams first, the project itself last. */
export async function dependencyClosure(
  db: Database | Transaction,
  projectId: string,
): Promise<DependencyNode[]> {
  return orderDependencies(await dependencyEdges(db, [projectId]), projectId);
}
