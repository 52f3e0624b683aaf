import type { NodeMemory } from "./shared-memory.ts";

type GrownNodes = Pick<NodeMemory, "feature" | "left" | "right" | "value" | "cover">;

/**
 * Clamps leaf values so that the tree keeps its monotone directions. At a split on a feature with a direction, the
 * boundary is the midpoint between both sides' mean values. Leaves on the low side stay at or below the midpoint,
 * leaves on the high side at or above. Two rows that differ only in that feature separate at such a split.
 */
export function boundLeaves(nodes: GrownNodes, monotone: Int8Array): void {
  const { feature, left, right, value } = nodes;
  const visit = (node: number, lower: number, upper: number): void => {
    const tested = feature[node]!;
    if (tested < 0) {
      value[node] = Math.min(upper, Math.max(lower, value[node]!));
      return;
    }
    const order = monotone[tested]!;
    if (order === 0) {
      visit(left[node]!, lower, upper);
      visit(right[node]!, lower, upper);
      return;
    }
    const means = (meanValue(nodes, left[node]!) + meanValue(nodes, right[node]!)) / 2;
    const middle = Math.min(upper, Math.max(lower, means));
    const [low, high] = order > 0 ? [left[node]!, right[node]!] : [right[node]!, left[node]!];
    visit(low, lower, middle);
    visit(high, middle, upper);
  };
  visit(0, -Infinity, Infinity);
}

/** Returns the mean value of the leaves below the node, weighted by their rows. */
function meanValue(nodes: GrownNodes, node: number): number {
  if (nodes.feature[node]! < 0) return nodes.value[node]!;
  const left = nodes.left[node]!;
  const right = nodes.right[node]!;
  const sum = meanValue(nodes, left) * nodes.cover[left]! + meanValue(nodes, right) * nodes.cover[right]!;
  return sum / (nodes.cover[left]! + nodes.cover[right]!);
}
