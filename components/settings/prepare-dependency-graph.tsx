import type { Project } from "#lib/contract/projects";

export type GraphNode = { id: string; name: string; x: number; y: number; isSelf: boolean };
export type GraphEdge = { id: string; feature: string; path: string; labelX: number; labelY: number };
export type DependencyGraph = { width: number; height: number; nodes: GraphNode[]; edges: GraphEdge[] };

export const nodeWidth = 190;
export const nodeHeight = 38;
const columnGap = 150;
const rowGap = 22;
/** Room on all sides, so that a focus ring is not cut off. */
const margin = 4;

/**
 * Where a project and everything that it depends on stand: predictions flow from left to right, the project itself is
 * the last. A project stands one column before the first that uses it.
 */
export function prepareDependencyGraph(projectId: string, projects: readonly Project[]): DependencyGraph {
  const byId = new Map(projects.map((project) => [project.id, project]));
  const depths = depthsOf(projectId, byId);
  const columns = Math.max(...depths.values()) + 1;
  const members = Array.from({ length: columns }, (_, depth) =>
    [...depths].filter(([, at]) => at === depth).map(([id]) => id),
  );
  const rows = Math.max(...members.map(({ length }) => length));
  const height = 2 * margin + rows * (nodeHeight + rowGap) - rowGap;
  const nodes = members.flatMap((ids, depth) => {
    const taken = ids.length * (nodeHeight + rowGap) - rowGap;
    return ids.map((id, row): GraphNode => {
      return {
        id,
        name: byId.get(id)?.name ?? "",
        x: margin + (columns - 1 - depth) * (nodeWidth + columnGap),
        y: (height - taken) / 2 + row * (nodeHeight + rowGap),
        isSelf: id === projectId,
      };
    });
  });
  const place = new Map(nodes.map((node) => [node.id, node]));
  const edges = nodes.flatMap((node) =>
    (byId.get(node.id)?.dependencies ?? []).flatMap((dependency): GraphEdge[] => {
      const from = place.get(dependency.projectId);
      return from ? [edge(from, node, dependency.featureName)] : [];
    }),
  );
  return { width: 2 * margin + columns * (nodeWidth + columnGap) - columnGap, height, nodes, edges };
}

/** Longest way from the project, in steps. Ends also for a cycle, which the service does not let be declared. */
function depthsOf(projectId: string, byId: ReadonlyMap<string, Project>): Map<string, number> {
  const depths = new Map([[projectId, 0]]);
  for (let changed = true, round = 0; changed && round < byId.size; round++) {
    changed = false;
    for (const [id, depth] of [...depths]) {
      for (const { projectId: upstream } of byId.get(id)?.dependencies ?? []) {
        if (!byId.has(upstream) || (depths.get(upstream) ?? -1) >= depth + 1) continue;
        depths.set(upstream, depth + 1);
        changed = true;
      }
    }
  }
  return depths;
}

function edge(from: GraphNode, to: GraphNode, feature: string): GraphEdge {
  const [x1, y1] = [from.x + nodeWidth, from.y + nodeHeight / 2];
  const [x2, y2] = [to.x, to.y + nodeHeight / 2];
  const bend = (x1 + x2) / 2;
  return {
    id: `${from.id}-${to.id}`,
    feature,
    path: `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`,
    labelX: bend,
    labelY: (y1 + y2) / 2,
  };
}
