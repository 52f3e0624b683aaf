import type { ProjectSummary } from "#lib/contract/projects";

type GraphNode = { id: string; name: string; x: number; y: number; isSelf: boolean };
type GraphEdge = { id: string; feature: string; path: string; labelX: number; labelY: number };
type DependencyGraph = { width: number; height: number; nodes: GraphNode[]; edges: GraphEdge[] };

export const nodeWidth = 176;
export const nodeHeight = 38;
const columnGap = 132;
const rowGap = 22;
/** Height of an edge that passes a column of projects: room for its line and its feature's name. */
const passHeight = 16;
/** Margin on all sides, so that focus rings are not cut off. */
const margin = 4;
/** Distance between arrows that end at the same project. */
const portGap = 9;

/** Slot in a column: a project, or the line of an edge that passes the column. */
type Slot = { key: string; depth: number; height: number; y: number };

/**
 * Lays out a project and its upstream projects. Predictions flow from left to right, and the project itself is last. A
 * project is one column before its first downstream project. Lines pass around other projects, not behind them.
 */
export function prepareDependencyGraph(
  projectId: string,
  projects: readonly ProjectSummary[],
): DependencyGraph {
  const byId = new Map(projects.map((project) => [project.id, project]));
  const depths = depthsOf(projectId, byId);
  const slots = new Map(
    [...depths].map(([key, depth]): [string, Slot] => [key, { key, depth, height: nodeHeight, y: 0 }]),
  );
  const links = [...depths.keys()].flatMap((to) =>
    (byId.get(to)?.dependencies ?? []).flatMap(({ projectId: from, featureName }) =>
      slots.has(from) ? [{ from, to, feature: featureName, way: passed(from, to, slots) }] : [],
    ),
  );
  const columns = Math.max(...depths.values()) + 1;
  const { width, height } = placeSlots(columns, slots, links);
  const leftOf = ({ depth }: Slot) => margin + (columns - 1 - depth) * (nodeWidth + columnGap);
  const nodes = [...depths.keys()].map((id): GraphNode => {
    const slot = slots.get(id)!;
    return { id, name: byId.get(id)?.name ?? "", x: leftOf(slot), y: slot.y, isSelf: id === projectId };
  });
  const middle = ({ y, height }: Slot) => y + height / 2;
  const edges = links.map(({ from, to, feature, way }): GraphEdge => {
    const [source, target] = [slots.get(from)!, slots.get(to)!];
    const before = way.at(-1) ?? source;
    const arriving = links
      .filter((link) => link.to === to)
      .map(({ from, way }) => way.at(-1) ?? slots.get(from)!)
      .sort((a, b) => a.y - b.y);
    const port = (arriving.indexOf(before) - (arriving.length - 1) / 2) * portGap;
    const stops = [source, ...way, target].map((slot) => {
      const left = leftOf(slot);
      return { left, right: left + nodeWidth, y: middle(slot) + (slot === target ? port : 0) };
    });
    const path = stops.slice(1).map(({ left, right, y }, at) => {
      const last = stops[at]!;
      const bend = (last.right + left) / 2;
      return `C${bend} ${last.y} ${bend} ${y} ${left} ${y}${at < way.length ? `H${right}` : ""}`;
    });
    const [first, second] = [stops[0]!, stops[1]!];
    const pass = way[0];
    const label = pass
      ? { labelX: leftOf(pass) + nodeWidth / 2, labelY: middle(pass) }
      : { labelX: (first.right + second.left) / 2, labelY: (first.y + second.y) / 2 };
    return { id: `${from}-${to}`, feature, path: `M${first.right} ${first.y}${path.join("")}`, ...label };
  });
  return { width, height, nodes, edges };
}

/** Slots in the columns between two projects, from left to right; added to the other slots. */
function passed(from: string, to: string, slots: Map<string, Slot>): Slot[] {
  const [start, end] = [slots.get(from)!.depth, slots.get(to)!.depth];
  return Array.from({ length: Math.max(0, start - end - 1) }, (_, step) => {
    const slot = { key: `${from}-${to}-${step}`, depth: start - step - 1, height: passHeight, y: 0 };
    slots.set(slot.key, slot);
    return slot;
  });
}

/** Places each slot next to its target if there is room, column by column from the right, and centres each column. */
function placeSlots(
  columns: number,
  slots: ReadonlyMap<string, Slot>,
  links: readonly { from: string; to: string; way: readonly Slot[] }[],
): { width: number; height: number } {
  const next = new Map<string, Slot[]>();
  for (const { from, to, way } of links) {
    const chain = [slots.get(from)!, ...way, slots.get(to)!];
    for (const [at, slot] of chain.slice(0, -1).entries()) {
      next.set(slot.key, [...(next.get(slot.key) ?? []), chain[at + 1]!]);
    }
  }
  const members = Array.from({ length: columns }, (_, depth) =>
    [...slots.values()].filter((slot) => slot.depth === depth),
  );
  const taken = (column: readonly Slot[]) =>
    column.reduce((sum, slot) => sum + slot.height + rowGap, -rowGap);
  const height = 2 * margin + Math.max(...members.map(taken));
  for (const column of members) {
    const wish = ({ key }: Slot) => {
      const targets = next.get(key) ?? [];
      return targets.reduce((sum, target) => sum + target.y + target.height / 2, 0) / (targets.length || 1);
    };
    column.sort((a, b) => wish(a) - wish(b));
    let y = (height - taken(column)) / 2;
    for (const slot of column) {
      slot.y = y;
      y += slot.height + rowGap;
    }
  }
  return { width: 2 * margin + columns * (nodeWidth + columnGap) - columnGap, height };
}

/**
 * Returns each project's longest distance from the project, in steps. Also terminates on a cycle, which the service
 * rejects.
 */
function depthsOf(projectId: string, byId: ReadonlyMap<string, ProjectSummary>): Map<string, number> {
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
