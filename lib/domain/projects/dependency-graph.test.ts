import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DependencyEdge, orderDependencies, wouldCycle } from "./dependency-graph.ts";

const edge = (projectId: string, upstreamProjectId: string): DependencyEdge => ({
  projectId,
  upstreamProjectId,
  featureName: `from ${upstreamProjectId}`,
});

/** Edges only lead from higher to lower numbers, so there is no cycle. */
const acyclic = fc
  .uniqueArray(fc.tuple(fc.nat(11), fc.nat(11)), { selector: String, maxLength: 40 })
  .map((pairs) =>
    pairs.filter(([a, b]) => a !== b).map(([a, b]) => edge(`p${Math.max(a, b)}`, `p${Math.min(a, b)}`)),
  );

const anyGraph = fc
  .uniqueArray(fc.tuple(fc.nat(7), fc.nat(7)), { selector: String, maxLength: 30 })
  .map((pairs) => pairs.filter(([a, b]) => a !== b).map(([a, b]) => edge(`p${a}`, `p${b}`)));

function reachable(edges: readonly DependencyEdge[], from: string): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    for (const { projectId, upstreamProjectId } of edges) {
      if (projectId !== id || found.has(upstreamProjectId)) continue;
      found.add(upstreamProjectId);
      visit(upstreamProjectId);
    }
  };
  visit(from);
  return found;
}

describe("orderDependencies", () => {
  it("orders upstream projects before downstream ones, the project last", () => {
    fc.assert(
      fc.property(acyclic, fc.nat(11), (edges, start) => {
        const ordered = orderDependencies(edges, `p${start}`);
        const place = new Map(ordered.map(({ projectId }, index) => [projectId, index]));
        expect(ordered.at(-1)?.projectId).toBe(`p${start}`);
        for (const { projectId, upstream } of ordered)
          for (const other of upstream)
            expect(place.get(other.projectId)).toBeLessThan(place.get(projectId)!);
      }),
    );
  });

  it("returns exactly the direct and indirect dependencies, each project once", () => {
    fc.assert(
      fc.property(anyGraph, fc.nat(7), (edges, start) => {
        const names = orderDependencies(edges, `p${start}`).map(({ projectId }) => projectId);
        expect(names.length).toBe(new Set(names).size);
        expect(new Set(names)).toEqual(reachable(edges, `p${start}`).add(`p${start}`));
      }),
    );
  });

  it("walks a chain of 100,000 projects", () => {
    const chain = Array.from({ length: 100_000 }, (_, i) => edge(`p${i}`, `p${i + 1}`));
    const ordered = orderDependencies(chain, "p0");
    expect(ordered.length).toBe(100_001);
    expect(ordered[0]?.projectId).toBe("p100000");
  });
});

describe("wouldCycle", () => {
  it("reports a cycle exactly if a new upstream project depends on the project", () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.nat(7),
        fc.uniqueArray(fc.nat(7), { maxLength: 4 }),
        (edges, start, upstreams) => {
          const project = `p${start}`;
          const ids = upstreams.map((id) => `p${id}`);
          const others = edges.filter(({ projectId }) => projectId !== project);
          const expected = ids.some((id) => id === project || reachable(others, id).has(project));
          expect(wouldCycle(edges, project, ids) !== null).toBe(expected);
        },
      ),
    );
  });

  it("returns a cycle that follows the dependencies", () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.nat(7),
        fc.uniqueArray(fc.nat(7), { maxLength: 4 }),
        (edges, start, upstreams) => {
          const project = `p${start}`;
          const after = [
            ...edges.filter(({ projectId }) => projectId !== project),
            ...upstreams.map((id) => edge(project, `p${id}`)),
          ];
          const cycle = wouldCycle(
            edges,
            project,
            upstreams.map((id) => `p${id}`),
          );
          if (cycle === null) return;
          expect(cycle[0]).toBe(project);
          expect(cycle.at(-1)).toBe(project);
          for (let i = 1; i < cycle.length; i++) {
            const step = after.some(
              (one) => one.projectId === cycle[i - 1] && one.upstreamProjectId === cycle[i],
            );
            expect(step).toBe(true);
          }
        },
      ),
    );
  });

  it("reports a project that depends on itself as a cycle", () => {
    expect(wouldCycle([], "a", ["a"])).toEqual(["a", "a"]);
  });
});
