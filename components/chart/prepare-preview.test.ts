import { describe, expect, it } from "vitest";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { ChartSeries, PreparedComparison } from "./prepare-comparison.ts";
import { previewId, withPreview } from "./prepare-preview.ts";

const hour = (at: number) => Date.UTC(2026, 0, 1, at);
const iso = (at: number) => new Date(hour(at)).toISOString();

const line = (id: string, values: number[], differences: number[]): ChartSeries => ({
  id,
  title: id.toUpperCase(),
  color: "#3498db",
  dash: "",
  isBaseline: id === "a",
  values: Float64Array.from(values),
  differences: Float64Array.from(differences),
  cumulative: null,
  band: null,
});
const comparison = (xs: number[], kind: "time" | "row" = "time"): PreparedComparison => ({
  kind,
  xs: Float64Array.from(xs),
  domain: [xs[0]!, xs.at(-1)!],
  period: null,
  series: [line("a", [1, 2, 3], [0, 0, 0]), line("b", [3, 5, 7], [2, 3, 4])],
});
const ends = (values: number[]) => ({ values, lower: values, upper: values });
const preview = {
  timestamps: [0, 1, 2, 3].map(iso),
  saved: ends([3, 4, 5, 7]),
  preview: ends([6, 7, 8, 9]),
} as unknown as ScenarioPreview;
const edited = { scenarioId: "b", preview, color: "#d97700" };

describe("withPreview", () => {
  it("adds the edited scenario at the points of the comparison, with differences from its baseline", () => {
    const { series } = withPreview(comparison([hour(0), hour(2), hour(5)]), edited);
    expect(series.map(({ id, title }) => [id, title])).toEqual([
      ["a", "A"],
      ["b", "B"],
      [previewId, "B, edited"],
    ]);
    const { values, differences, band } = series[2]!;
    expect([...values]).toEqual([6, 8, Number.NaN]);
    // The scenario is 2 and 3 above the baseline, and the edits add 3 each.
    expect([...differences!]).toEqual([5, 6, Number.NaN]);
    expect([...band!.lower]).toEqual([6, 8, Number.NaN]);
  });

  it("finds rows by their number on an axis without times", () => {
    const { series } = withPreview(comparison([1, 2, 4], "row"), edited);
    expect([...series[2]!.values]).toEqual([6, 7, 9]);
  });

  it("leaves a comparison without the scenario as it is", () => {
    const other = comparison([hour(0), hour(1), hour(2)]);
    expect(withPreview(other, { ...edited, scenarioId: "c" })).toBe(other);
  });
});
