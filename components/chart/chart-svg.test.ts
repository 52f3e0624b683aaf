import { expect, test } from "vitest";
import { Shown } from "#components/display/shown.ts";
import { periodOfBuckets } from "#components/time/period.ts";
import { axisOf } from "./axis.ts";
import { chartSvg } from "./chart-svg.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";

const band = { lower: Float64Array.of(0, 1, 2), upper: Float64Array.of(2, 3, 4) };
const one = { dash: "", values: Float64Array.of(1, 2, 3), differences: null, cumulative: null, band };
const prepared: PreparedComparison = {
  kind: "row",
  xs: Float64Array.of(1, 2, 3),
  domain: [1, 3],
  period: null,
  series: [
    { ...one, id: "a", title: "A <& B>", color: "blue", isBaseline: true },
    { ...one, id: "b", title: "B", color: "red", isBaseline: false, band: null },
  ],
};
const target = new Shown("Sales", "MWh");
const options = { measure: "value", target, title: "Sales", span: [1, 3], bands: true } as const;
const draw = (more: Partial<Parameters<typeof chartSvg>[1]> = {}) =>
  chartSvg(prepared, { ...options, ...more }, (name) => ({ css: name, rgb: [0, 0, 0] }));

test("draws bands below the edges of all lines, and the edges below the lines", () => {
  const plot = draw().match(/<g clip-path.*?<\/g>/)![0];
  const paths = [...plot.matchAll(/ fill="([^"]*)" opacity| stroke="([^"]*)"/g)];
  expect(paths.map(([, area, line]) => area ?? line)).toEqual([
    "blue",
    "var(--surface)",
    "var(--surface)",
    "blue",
    "red",
  ]);
  expect([...plot.matchAll(/stroke-width="([^"]*)"/g)].map(([, width]) => Number(width))).toEqual([
    4.5, 4, 2.5, 2,
  ]);
});

test("escapes titles, and names the series that the others are compared with", () => {
  expect(draw()).toContain(">A &lt;&amp; B&gt; (baseline)<");
  expect(draw({ baselineText: "saved" })).toContain(">A &lt;&amp; B&gt; (saved)<");
  expect(draw({ baselineText: "" })).toContain(">A &lt;&amp; B&gt;<");
});

test("draws only the points of the shown span and its neighbours, under its period", () => {
  const part = draw({ span: [1, 1.5] });
  expect(part).toContain(">Row 1 – Row 2<");
  expect(draw()).toContain(">Row 1 – Row 3<");
});

test("cuts a long title of the legend only between characters", () => {
  for (const title of ["🌡".repeat(40), `t${"🌡".repeat(40)}`]) {
    const series = prepared.series.map((line) => ({ ...line, title }));
    const svg = chartSvg({ ...prepared, series }, options, (name) => ({ css: name, rgb: [0, 0, 0] }));
    expect(svg).toMatch(/>t?(?:🌡){20}…</u);
    expect(svg.isWellFormed()).toBe(true);
  }
});

test("names incomplete buckets after the period", () => {
  const month = Date.UTC(2026, 0, 1);
  const buckets = { unit: "month", aggregate: "sum", timezone: "UTC", to: "2026-03-12T00:00Z" } as const;
  const xs = Float64Array.of(month, Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1));
  const svg = chartSvg(
    {
      ...prepared,
      kind: "time",
      xs,
      domain: [month, xs[2]!],
      period: periodOfBuckets(buckets),
      buckets: { ...buckets, from: "2026-01-01T00:00Z", complete: [true, true, false] },
    },
    { ...options, span: [month, xs[2]!] },
    (name) => ({ css: name, rgb: [0, 0, 0] }),
  );
  expect(svg).toContain(">Jan 2026 – Mar 2026, sum by month. Incomplete: Mar 2026 (rows to 12 Mar 2026).<");
});

test.each([
  ["P1Y", ["2024-01-01", "2025-01-01", "2026-01-01"], "2024", "2026"],
  ["P3M", ["2025-10-01", "2026-01-01", "2026-04-01"], "Q4 2025", "Q2 2026"],
  ["P1M", ["2026-10-01", "2026-11-01", "2026-12-01"], "Oct 2026", "Dec 2026"],
] as const)("names the periods of a picture by the step %s", (frequency, days, first, last) => {
  const timestamps = days.map((day) => `${day}T00:00:00.000Z`);
  const dated = { ...prepared, ...axisOf({ timestamps }, { frequency, timezone: "UTC" }) };
  const svg = chartSvg(dated, { ...options, span: dated.domain }, (name) => ({ css: name, rgb: [0, 0, 0] }));
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
  expect(texts).toContain(`${first} – ${last}`);
  expect(texts).toContain(first);
});
