import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { metrics } from "#lib/platform/metrics/metrics";
import { registerRealtimeMetrics } from "#server/realtime/figures";
import { read, yamlOf } from "./deployment-files.ts";

type Rule = { alert: string; expr: string; annotations: { summary: string; description: string } };
type Panel = { title: string; targets: { expr: string }[] };

const rules = (yamlOf("deploy/prometheus/alerts.yaml") as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read("deploy/grafana/dashboard.json")) as { panels: Panel[] };

/** Words of PromQL in these files. */
const words = new Set("sum max min by rate increase histogram_quantile scalar".split(" "));

/** Returns the names of metrics in an expression, without labels and ranges. */
const metricsIn = (expression: string): string[] =>
  expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, "")
    .match(/[a-z_][a-z0-9_]*/g)!
    .filter((word) => !words.has(word));

/** Returns the names of all time series of the service. */
async function known(): Promise<Set<string>> {
  const realtime = new Registry();
  registerRealtimeMetrics(realtime, {
    traffic: { received: 0, sent: 0 },
    connections: () => 0,
    channels: () => 0,
  });
  const all = [
    ...(await metrics().registry.getMetricsAsJSON()),
    ...(await realtime.getMetricsAsJSON()),
  ] as unknown as { name: string; type: string }[];
  return new Set(
    all.flatMap(({ name, type }) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
}

test("every metric in the alerts and the dashboard exists", async () => {
  const exists = await known();
  const used = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(used.length).toBeGreaterThan(25);
  expect([...new Set(used.flatMap(metricsIn))].filter((name) => !exists.has(name))).toEqual([]);
  expect(metricsIn('sum by (x) (rate(missing_total{a="b"}[5m])) > 1')).toEqual(["missing_total"]);
});

test("every alert has its own name and says what to do", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { annotations } of rules) {
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.description).toMatch(/\.$/);
  }
});
