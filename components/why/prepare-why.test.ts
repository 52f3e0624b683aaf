import { expect, test } from "vitest";
import { proposedDisplays as displays } from "#components/display/shown.ts";
import type { Difference, DifferencePart } from "#lib/contract/scenario-differences";
import { prepareWhy } from "./prepare-why.ts";

const titles = { baseline: "Base", scenario: "Dearer", checkpoints: "Winter → Spring" };
const names = { target: displays("demand_mwh"), displays };
const part = (kind: DifferencePart["kind"], feature: string | null, values: number[]): DifferencePart => ({
  kind,
  feature,
  projectId: null,
  values,
  total: values.reduce((sum, value) => sum + value, 0),
});
function difference(parts: DifferencePart[], rest: Partial<Difference> = {}): Difference {
  const differences = [0, 1].map((point) => parts.reduce((sum, { values }) => sum + values[point]!, 0));
  const totalDifference = differences[0]! + differences[1]!;
  return {
    scenarioId: "b",
    baselineId: "a",
    method: "exact",
    commonRows: 2,
    splitRows: 2,
    onlyInScenario: 0,
    onlyInBaseline: 0,
    baselineTotal: 10,
    scenarioTotal: 10 + totalDifference,
    totalDifference,
    parts,
    differences,
    rows: [1, 2],
    ...rest,
  };
}

test("starts each step at the end of the previous one, and ends at the total", () => {
  const prepared = prepareWhy(
    difference([part("input", "price", [-4, -2]), part("checkpoint", null, [1, 1])]),
    titles,
    names,
  );
  expect(prepared.steps.map(({ name, from, to }) => [name, from, to])).toEqual([
    ["Price", 0, -6],
    ["Checkpoint", -6, -4],
  ]);
  expect(prepared).toMatchObject({ total: -4, span: [-6, 0], xs: Float64Array.of(1, 2) });
  expect(prepared.steps.map(({ values }) => [...values])).toEqual([
    [-4, -2],
    [1, 1],
  ]);
  expect(prepared.summary).toBe("Dearer is 4 MWh below Base in total over 2 rows: Price −6, Checkpoint +2.");
});

test("merges many parts into a few with the same total", () => {
  const many = Array.from({ length: 12 }, (_, i) => part("input", `x${i}`, [12 - i, 1]));
  const { steps, total } = prepareWhy(difference(many), titles, names);
  expect(steps.at(-1)?.name).toBe("5 smaller parts");
  expect(steps.at(-1)?.to).toBe(total);
  expect(steps.reduce((sum, { values }) => sum + values[0]!, 0)).toBe(78);
});

test("reports excluded rows, estimates, missing splits and equal scenarios", () => {
  const sampled = prepareWhy(
    difference([part("input", "x", [1, 1])], {
      method: "sampled",
      commonRows: 9_000,
      splitRows: 3_000,
      onlyInBaseline: 7,
    }),
    titles,
    names,
  );
  expect(sampled.remarks.join(" ")).toMatch(/estimates.*3,000 of 9,000.*7 rows that only Base has/);
  const idle = prepareWhy(difference([part("input", "wind", [0, 0])]), titles, names);
  expect([idle.hasParts, idle.summary]).toEqual([
    false,
    expect.stringMatching(/predict the same .* Wind have no effect/),
  ]);
  expect(prepareWhy(difference([]), titles, names).summary).toBe("Dearer and Base are the same over 2 rows.");
  expect(prepareWhy(difference([], { commonRows: 0 }), titles, names).summary).toMatch(/no rows in common/);
});

test("names the effects of the known rows on level and season", () => {
  const history = [
    { ...part("history", null, [3, 3]), component: "level" as const },
    { ...part("history", null, [1, -1]), component: "season" as const },
  ];
  const { steps } = prepareWhy(difference(history), titles, names);
  expect(steps.map(({ name }) => name)).toEqual(["History: level and trend", "History: season"]);
  expect(new Set(steps.map(({ id }) => id)).size).toBe(2);
});
