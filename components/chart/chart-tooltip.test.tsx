import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Shown } from "#components/display/shown.ts";
import { axisOf } from "./axis.ts";
import { ChartTooltip, describePoint } from "./chart-tooltip.tsx";
import { baselineSeries, type PreparedComparison } from "./prepare-comparison.ts";

const column = (value: number) => Float64Array.of(value, value);
const band = (low: number, high: number) => ({ lower: column(low), upper: column(high) });
const scenario = (id: string) => ({ id, title: `Scenario ${id}`, color: "#123456" });
const prepared: PreparedComparison = {
  ...axisOf({ rows: [1, 2] }),
  series: [
    baselineSeries(scenario("a"), column(5), band(4, 7)),
    { ...baselineSeries(scenario("b"), column(6), null), isBaseline: false, differences: column(1) },
  ],
};
const target = new Shown("Demand", "MWh");

const tooltip = (width: number, intervals: boolean) =>
  renderToStaticMarkup(
    <ChartTooltip
      {...{ x: 10, width, prepared, at: 0, target, intervals }}
      withDifferences
      baselineText="baseline"
      outside={[]}
    />,
  );

test.each([
  ["wide", 900],
  ["narrow", 340],
])("shows the interval of each series that has one in a %s chart", (_, width) => {
  expect(tooltip(width, true)).toContain("4 – 7");
  expect(tooltip(width, true)).toContain("90 % prediction intervals");
  expect(tooltip(width, false)).not.toContain("4 – 7");
});

test("describes the interval in words", () => {
  const options = { measure: "value", target } as const;
  expect(describePoint(prepared, 0, { ...options, intervals: true })).toBe(
    "Row 1: Scenario a 5 MWh (90 % interval 4 – 7), Scenario b 6 MWh (+1)",
  );
  expect(describePoint(prepared, 0, { ...options, intervals: false })).toContain("Scenario a 5 MWh,");
});
