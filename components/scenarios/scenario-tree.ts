import type { Scenario } from "#lib/contract/scenarios";

type Based = Pick<Scenario, "id" | "baseScenarioId">;

/** Sorts scenarios as a tree: each below its base scenario, siblings in the given order. */
export function treeOrder<T extends Based>(scenarios: readonly T[]): { scenario: T; depth: number }[] {
  const known = new Set(scenarios.map(({ id }) => id));
  const children = Map.groupBy(scenarios, ({ baseScenarioId }) =>
    baseScenarioId !== null && known.has(baseScenarioId) ? baseScenarioId : null,
  );
  const sorted: { scenario: T; depth: number }[] = [];
  // The next scenario is at the end.
  const open = (children.get(null) ?? []).map((scenario) => ({ scenario, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    sorted.push(next);
    const below = children.get(next.scenario.id) ?? [];
    for (const scenario of below.toReversed()) open.push({ scenario, depth: next.depth + 1 });
  }
  return sorted;
}

/**
 * Returns the scenario to compare the others with: the one from which most of them derive, directly or not, else the
 * first one.
 *
 * @param known scenarios whose base is known
 */
export function commonBase(ids: readonly string[], known: readonly Based[]): string | null {
  const baseOf = new Map(known.map(({ id, baseScenarioId }) => [id, baseScenarioId]));
  const derived = new Map(ids.map((id) => [id, 0]));
  for (const id of ids) {
    const seen = new Set([id]);
    for (let base = baseOf.get(id); base && !seen.has(base); base = baseOf.get(base)) {
      seen.add(base);
      const count = derived.get(base);
      if (count !== undefined) derived.set(base, count + 1);
    }
  }
  return ids.toSorted((a, b) => derived.get(b)! - derived.get(a)!)[0] ?? null;
}
