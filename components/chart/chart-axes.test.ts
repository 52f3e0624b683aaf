import { expect, test } from "vitest";
import { Shown } from "#components/display/shown.ts";
import { tickFormat } from "./chart-axes.tsx";

test("labels ticks with more decimals than the target if these would misstate a tick", () => {
  const ticks = [-0.5, -0.25, 0, 0.25, 0.5, 0.75];
  const labels = ticks.map(tickFormat("difference", new Shown("Demand", "MWh", 0), ticks));
  expect(labels.join(" ")).toBe("−0.5 −0.25 0 +0.25 +0.5 +0.75");
});
