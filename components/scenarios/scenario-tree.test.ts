import fc from "fast-check";
import { expect, test } from "vitest";
import { commonBase, treeOrder } from "./scenario-tree.ts";

const at = (id: string, baseScenarioId: string | null = null) => ({ id, baseScenarioId });

test("puts each scenario below its base, and siblings in their order", () => {
  const rows = [at("e", "b"), at("d", "gone"), at("c", "a"), at("b", "a"), at("a")];
  expect(treeOrder(rows).map(({ scenario, depth }) => `${scenario.id}${depth}`)).toEqual([
    ...["d0", "a0", "c1", "b1", "e2"],
  ]);
});

/** Scenarios in which each has an earlier one as its base, or none. */
const forest = fc
  .array(fc.option(fc.nat(), { nil: null }), { maxLength: 20 })
  .map((bases) =>
    bases.map((base, index) => at(`${index}`, base === null || index === 0 ? null : `${base % index}`)),
  );

test("lists every scenario once, one level deeper than its base", () => {
  fc.assert(
    fc.property(forest, (rows) => {
      const sorted = treeOrder(rows.toReversed());
      expect(sorted.map(({ scenario }) => scenario.id).toSorted()).toEqual(
        rows.map(({ id }) => id).toSorted(),
      );
      const depths = new Map(sorted.map(({ scenario, depth }) => [scenario.id, depth]));
      for (const { id, baseScenarioId } of rows) {
        expect(depths.get(id)).toBe(baseScenarioId === null ? 0 : depths.get(baseScenarioId)! + 1);
      }
    }),
  );
});

test("takes the scenario that most others derive from as the baseline, else the first", () => {
  const rows = [at("a"), at("b", "a"), at("c", "b"), at("d", "b"), at("e")];
  expect(commonBase(["c", "d", "b"], rows)).toBe("b");
  expect(commonBase(["c", "b", "a"], rows)).toBe("a");
  expect(commonBase(["d", "c"], rows)).toBe("d");
  expect(commonBase(["e", "c", "a"], rows)).toBe("a");
  expect(commonBase(["x", "y"], rows)).toBe("x");
  expect(commonBase([], rows)).toBeNull();
});
