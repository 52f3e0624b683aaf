import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { proposedDisplays as displays, Shown } from "#components/display/shown.ts";
import { prepareWhy } from "./prepare-why.ts";
import { WhyChart } from "./why-chart.tsx";

// Draws nothing without a width, which only a browser knows.
vi.mock("recharts", () => {
  const Nothing = () => null;
  const Children = ({ children }: { children: React.ReactNode }) => children;
  type Axis = { ticks: number[]; tickFormatter(tick: number): string };
  const YAxis = ({ ticks, tickFormatter }: Axis) => <p id="heights">{ticks.map(tickFormatter).join(" ")}</p>;
  return {
    ...{ Area: Nothing, CartesianGrid: Nothing, ReferenceLine: Nothing, Tooltip: Nothing, XAxis: Nothing },
    ...{ AreaChart: Children, ResponsiveContainer: Children, YAxis },
  };
});

test("labels the axis with more decimals than the target if these would misstate a tick", () => {
  const part = { kind: "input" as const, feature: "price", projectId: null, total: 0.4, values: [-0.3, 0.7] };
  const prepared = prepareWhy(
    {
      ...{ method: "exact", commonRows: 2, splitRows: 2, onlyInScenario: 0, onlyInBaseline: 0 },
      ...{ baselineTotal: 1, scenarioTotal: 1.4, totalDifference: 0.4 },
      ...{ parts: [part], differences: part.values, rows: [1, 2] },
    },
    { baseline: "Base", scenario: "Dearer", checkpoints: "" },
    { target: new Shown("Demand", "MWh", 0), displays },
  );
  const html = renderToStaticMarkup(<WhyChart prepared={prepared} label="" />);
  expect(/heights">([^<]*)/.exec(html)?.[1]).toBe("−0.5 −0.25 0 +0.25 +0.5 +0.75");
});
