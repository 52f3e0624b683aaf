import fc from "fast-check";
import { expect, test } from "vitest";
import type { Comparison } from "#lib/contract/scenario-series";
import { describeComparison } from "./describe-comparison.ts";

type Series = Comparison["series"][number];
type Given = Partial<Series> & { id: string; title?: string };

const summaryOf = (sum: number) => ({ mean: sum / 3, min: 1, max: 3, sum, first: 1, last: 3 });

/** Returns a comparison whose first scenario is the baseline. */
function comparisonOf(given: readonly Given[], more: Partial<Comparison> = {}): Comparison {
  return {
    baselineId: given[0]!.id,
    scenarios: given.map(({ id, title = id.toUpperCase() }) => ({
      id,
      runId: id,
      title,
      color: "#3498db",
      checkpointId: "c",
      checkpointLabel: "C",
      rowCount: 3,
      summary: summaryOf(6),
    })),
    timestamps: ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"],
    pointCount: 3,
    commonSpan: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-03T00:00:00.000Z" },
    series: given.map(({ id, title: _, ...series }) => ({
      scenarioId: id,
      values: [1, 2, 3],
      lower: [],
      upper: [],
      differences: [],
      cumulative: [],
      rowCount: 3,
      valueCount: 3,
      summary: summaryOf(6),
      totalDifference: 0,
      percentDifference: 0,
      ...series,
    })),
    actual: null,
    differs: { inputs: [], checkpoints: [], dependentCheckpoints: [] },
    ...more,
  };
}

const differing = (id: string, totalDifference: number | null, percentDifference = totalDifference) => ({
  id,
  totalDifference,
  percentDifference,
});
const a = { id: "a" };

test("describes the period, each scenario's difference and the highest scenario", () => {
  expect(describeComparison(comparisonOf([a, differing("b", 4, 100)]))).toBe(
    "From Thu, 1 Jan 2026 to Sat, 3 Jan 2026. Baseline is “A”. “B” is 100 % above it in total. Highest in total is “B”.",
  );
});

test("reports missing common rows, equal totals, small differences, and a baseline of 0", () => {
  const described = (change: object) => describeComparison(comparisonOf([a, { id: "b", ...change }]));
  expect(described({ totalDifference: null, percentDifference: null })).toContain(
    "“B” has no rows in common with it",
  );
  expect(described({ totalDifference: -1, percentDifference: -0.0123 })).toContain(
    "“B” is 0.01 % below it in total",
  );
  expect(described({ totalDifference: -12, percentDifference: null })).toContain(
    "“B” is 12 below it in total, where the baseline's sum is 0",
  );
  // No scenario is the highest.
  expect(described({ totalDifference: 0, percentDifference: 0 })).toMatch(/“B” is the same in total\.$/);
  // Sums of the same numbers in another order.
  expect(described({ totalDifference: 1e-13, percentDifference: 1e-12 })).toMatch(
    /“B” is the same in total\.$/,
  );
});

test("names all scenarios that share the highest total", () => {
  const text = describeComparison(comparisonOf([a, differing("b", 0), differing("c", -2)]));
  expect(text).toContain("Highest in total are “A” and “B”.");
});

test("names only the extremes of many scenarios, and counts the others", () => {
  const many = [a, differing("b", 4), differing("c", -2), differing("d", 0), differing("e", null)];
  expect(describeComparison(comparisonOf([...many, differing("f", 9.5)]))).toBe(
    "From Thu, 1 Jan 2026 to Sat, 3 Jan 2026. Baseline is “A”. Of the 5 others, 2 are above it in total, 1 is below it, 1 is the same, 1 has no rows in common with it. Of those with common rows, the highest in total is “F” (+9.5 %), lowest “C” (−2 %).",
  );
});

test("names the days of a span that ends within a shown period", () => {
  const totals = comparisonOf([a, differing("b", 4)]);
  const shown = comparisonOf([{ ...a, rowCount: 90 }, differing("b", 4)], {
    timestamps: ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
    buckets: {
      ...({ unit: "month", aggregate: "sum", timezone: "UTC" } as const),
      complete: [true, true, true],
      from: "2026-01-01T00:00:00.000Z",
      to: "2026-03-31T00:00:00.000Z",
    },
  });
  const calendar = { frequency: "P1D", timezone: "UTC" };
  expect(describeComparison(totals, shown, calendar)).toMatch(
    /^From Thu, 1 Jan 2026 to Sat, 3 Jan 2026, which all scenarios cover\./,
  );
});

test("names the days of incomplete periods, and a single day once", () => {
  const daily = { frequency: "P1D", timezone: "UTC" };
  const inJanuary = (from: string, to: string) =>
    comparisonOf([a, differing("b", 4)], {
      timestamps: ["2026-01-01T00:00:00.000Z"],
      buckets: {
        ...({ unit: "month", aggregate: "sum", timezone: "UTC" } as const),
        complete: [false],
        from,
        to,
      },
    });
  const [third, fifth] = ["2026-01-03T00:00:00.000Z", "2026-01-05T00:00:00.000Z"];
  expect(describeComparison(inJanuary(third!, fifth!), undefined, daily)).toMatch(
    /^From Sat, 3 Jan 2026 to Mon, 5 Jan 2026\./,
  );
  expect(describeComparison(inJanuary(third!, third!), undefined, daily)).toMatch(/^For Sat, 3 Jan 2026\./);
});

test("names the span that all scenarios cover, and the rows outside of it", () => {
  const totals = comparisonOf([a, differing("b", 4)], {
    timestamps: ["2026-01-01T00:00Z", "2026-01-02T00:00Z"],
  });
  const shown = comparisonOf([{ ...a, rowCount: 9 }, differing("b", 4)]);
  const text = describeComparison(totals, shown);
  expect(text).toMatch(/^From Thu, 1 Jan 2026 to Fri, 2 Jan 2026, which all scenarios cover\./);
  expect(text).toMatch(/Totals exclude 6 rows of “A”, which other scenarios do not have\.$/);
  const many = ["a", "b", "c", "d"].map((id) => ({ id, rowCount: 9 }));
  const short = many.map(({ id }) => ({ id }));
  expect(describeComparison(comparisonOf(short), comparisonOf(many))).toContain(
    "Totals exclude rows of 4 longer scenarios.",
  );
  expect(describeComparison(comparisonOf([a, differing("b", 4)], { commonSpan: null }))).toContain(
    "The scenarios have no span in common, so their sums and means are of different rows.",
  );
});

test("names scenarios that lack predictions within the span", () => {
  const text = describeComparison(comparisonOf([a, { ...differing("b", 4), valueCount: 2 }]));
  expect(text).toMatch(/“B” has predictions in 2 of 3 rows\.$/);
});

test("reports how far the shown predictions are from the actuals", () => {
  const text = describeComparison(comparisonOf([a], { actual: [1.5, null, 2] }));
  expect(text).toContain(
    "Actuals are known at 2 of the 3 points drawn; there they are 0.25 below the baseline on average.",
  );
});

/** Titles that read like words of a sentence, or like missing values. */
const titles = fc.oneof(
  fc.constantFrom(
    "null",
    "null upstream",
    "undefined",
    "NaN",
    "it",
    "the same",
    "is above it in total",
    "A”",
    "“",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
);
const totalsOf = fc.option(
  fc.oneof(fc.constantFrom(0, 1e-14, -3, 5), fc.double({ min: -1e9, max: 1e9, noNaN: true })),
  { freq: 6 },
);
const scenario = fc.record({
  title: titles,
  total: totalsOf,
  sum: fc.constantFrom(0, 6, -6, 1e9),
  rowCount: fc.integer({ min: 1, max: 9 }),
  more: fc.integer({ min: 0, max: 3 }),
});

test("states only facts about any scenarios, and no title outside of quotation marks", () => {
  fc.assert(
    fc.property(fc.array(scenario, { minLength: 1, maxLength: 6 }), titles, (others, title) => {
      const given: Given[] = [
        { id: "0", title },
        ...others.map(({ total, sum, title, rowCount }, at) => ({
          id: String(at + 1),
          title,
          rowCount,
          summary: summaryOf(sum),
          totalDifference: total,
          percentDifference: sum === 0 || total === null ? null : total,
        })),
      ];
      const totals = comparisonOf(given);
      const shown = comparisonOf(
        given.map((one, at) => ({ ...one, rowCount: (one.rowCount ?? 3) + (others[at - 1]?.more ?? 0) })),
      );
      const text = describeComparison(totals, shown);
      const places = new Map(given.map((one) => [one.title!, `<${one.id}>`]));
      const longest = [...places.keys()].sort((a, b) => b.length - a.length);
      const bare = longest.reduce((rest, title) => rest.replaceAll(`“${title}”`, "<>"), text);
      expect(bare).not.toMatch(/null|undefined|NaN|Infinity/);

      const largest = Math.max(
        ...totals.series.flatMap((one) =>
          [one.totalDifference, one.summary!.sum].map((size) => Math.abs(size ?? 0)),
        ),
      );
      const known = totals.series.filter(({ totalDifference }) => totalDifference !== null);
      const highest = Math.max(...known.map(({ totalDifference }) => totalDifference!));
      const atTop = known.filter(({ totalDifference }) => highest - totalDifference! <= 1e-12 * largest);
      expect(/ighest in total/.test(bare)).toBe(atTop.length < known.length);
      if (atTop.length < known.length && atTop.length === 1 && atTop[0]!.scenarioId !== "0")
        expect(text).toContain(`ighest in total is “${given[Number(atTop[0]!.scenarioId)]!.title}”`);
      const isLonger = others.some(({ more, total }) => more > 0 && total !== null);
      expect(bare.includes("Totals exclude")).toBe(isLonger);
      if (others.length <= 3) {
        const same = others.filter(
          ({ total }) => total !== null && Math.abs(total) <= 1e-12 * largest,
        ).length;
        expect(bare.split("is the same in total").length - 1).toBe(same);
      }
    }),
  );
});
