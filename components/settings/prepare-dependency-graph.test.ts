import { describe, expect, it } from "vitest";
import type { ProjectSummary } from "#lib/contract/projects";
import { nodeHeight, nodeWidth, prepareDependencyGraph } from "./prepare-dependency-graph.ts";

const project = (id: string, ...upstream: string[]): ProjectSummary => ({
  id,
  name: id.toUpperCase(),
  description: null,
  target: null,
  hasDataset: false,
  currentModel: null,
  defaultCheckpointId: null,
  dependencies: upstream.map((projectId) => ({ projectId, featureName: `from_${projectId}` })),
  access: "open",
  createdAt: "2026-01-01T00:00:00.000Z",
  createdBy: "u",
});

describe("prepareDependencyGraph", () => {
  it("places each project left of its downstream projects, and the project itself last", () => {
    const { nodes, edges, width } = prepareDependencyGraph("a", [
      project("a", "b", "c"),
      project("b", "c"),
      project("c"),
      project("unrelated"),
    ]);
    const x = new Map(nodes.map((node) => [node.id, node.x]));
    expect([...x.keys()].sort()).toEqual(["a", "b", "c"]);
    expect(x.get("c")).toBeLessThan(x.get("b")!);
    expect(x.get("b")).toBeLessThan(x.get("a")!);
    expect(x.get("a")).toBeLessThan(width);
    expect(edges.map(({ feature }) => feature).sort()).toEqual(["from_b", "from_c", "from_c"]);
  });

  it("keeps the nodes of a column apart and inside the drawing", () => {
    const { nodes, height } = prepareDependencyGraph("a", [
      project("a", "b", "c"),
      project("b"),
      project("c"),
    ]);
    const ys = nodes.filter(({ isSelf }) => !isSelf).map(({ y }) => y);
    expect(Math.abs(ys[0]! - ys[1]!)).toBeGreaterThan(38);
    expect(Math.min(...ys)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ys) + 38).toBeLessThanOrEqual(height);
  });

  it("routes lines around projects in other columns, and gives each arrow its own end point", () => {
    const { nodes, edges } = prepareDependencyGraph("a", [
      project("a", "b", "c", "d"),
      project("b", "c"),
      project("c"),
      project("d", "c"),
    ]);
    const past = edges.find(({ id }) => id === "c-a")!;
    const between = nodes.filter(({ x }) => x < past.labelX && past.labelX < x + nodeWidth);
    expect(between).toHaveLength(2);
    for (const { y } of between) expect(past.labelY < y || past.labelY > y + nodeHeight).toBe(true);
    const ends = edges.filter(({ id }) => id.endsWith("-a")).map(({ path }) => path.split(" ").at(-1));
    expect(new Set(ends).size).toBe(3);
  });

  it("omits inaccessible projects, and terminates on a cycle", () => {
    const { nodes, edges } = prepareDependencyGraph("a", [project("a", "b", "gone"), project("b", "a")]);
    expect(nodes).toHaveLength(2);
    expect(edges).toHaveLength(2);
  });
});
