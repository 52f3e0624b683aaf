import { expect, test } from "vitest";
import { displaysOf } from "#components/display/shown.ts";
import { periodOfBuckets } from "#components/time/period.ts";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { ChartAxis } from "./axis.ts";
import {
  describeOutside,
  outsideAt,
  prepareOutside,
  shadedSpans,
  withShownNames,
} from "./prepare-outside.ts";

const at = (hour: number) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
const span = (first: number, last: number, ...features: string[]) => ({
  firstRow: first,
  lastRow: last,
  from: at(first),
  to: at(last),
  features,
});
const found: Extrapolation = {
  rowCount: 30,
  features: [{ feature: "temp", rows: 4, firstRow: 2, firstTimestamp: at(2), range: null, unseen: null }],
  spans: [span(2, 4, "temp"), span(8, 8, "temp", "wind"), span(20, 21, "wind")],
};
const shown = (kind: "time" | "row", from: number, to: number): ChartAxis => ({
  kind,
  domain: [from, to],
  period: null,
  xs: Float64Array.from({ length: 11 }, (_, i) => from + ((to - from) * i) / 10),
});
const scenario = { id: "s", title: "Warm" };

test("clips spans to the shown range and makes a single row as wide as a point", () => {
  const marks = prepareOutside(found, shown("row", 3, 13), scenario);
  expect(marks.map(({ from, to }) => [from, to])).toEqual([
    [3, 4.5],
    [7.5, 8.5],
  ]);
  const times = prepareOutside(found, shown("time", Date.parse(at(3)), Date.parse(at(13))), scenario);
  expect(times.map(({ from }) => new Date(from).toISOString())).toEqual([
    at(3),
    new Date(Date.parse(at(8)) - 1_800_000).toISOString(),
  ]);
});

test("names the features outside the known range at a position, and of all rows in the text", () => {
  const marks = prepareOutside(found, shown("row", 3, 13), scenario);
  expect(outsideAt(marks, 8)).toEqual([
    { id: "s", title: "Warm", text: "outside the known range: temp, wind" },
  ]);
  expect(outsideAt(marks, 6)).toEqual([]);
  expect(describeOutside([{ title: "Warm", extrapolation: found }])).toBe(
    "Shaded where inputs are outside the known range (extrapolation): “Warm” in temp (4 of 30 rows).",
  );
  const none = { rowCount: 3, features: [], spans: [] };
  expect(describeOutside([{ title: "Warm", extrapolation: none }])).toBeNull();
});

test("names features as the dashboard shows them", () => {
  const displays = displaysOf({
    display: { temp: { displayName: "Temperature", unit: null, decimals: null } },
    units: {},
  });
  const named = withShownNames(found, displays);
  expect(outsideAt(prepareOutside(named, shown("row", 3, 13), scenario), 3)[0]!.text).toContain(
    "Temperature",
  );
  expect(describeOutside([{ title: "Warm", extrapolation: named }])).toContain("Temperature (4 of 30 rows)");
});

test("shades a span once for several scenarios, and returns a stable empty result", () => {
  const marks = ["a", "b"].flatMap((id) =>
    prepareOutside(found, shown("row", 3, 13), { ...scenario, id, title: id }),
  );
  expect(shadedSpans(marks)).toEqual([
    [3, 4.5],
    [7.5, 8.5],
  ]);
  // Charts redraw when the object changes.
  expect(shadedSpans([])).toBe(shadedSpans([]));
});

test("marks the bucket that contains the rows, not the one whose start is nearest", () => {
  const instant = (month: number, day: number) => new Date(Date.UTC(2024, month, day)).toISOString();
  const months = [0, 1, 2, 3].map((month) => Date.parse(instant(month, 1)));
  const axis: ChartAxis = {
    kind: "time",
    xs: Float64Array.from(months),
    domain: [months[0]!, months[3]!],
    period: periodOfBuckets({ unit: "month", timezone: "UTC" }),
    buckets: {
      unit: "month",
      aggregate: "mean",
      timezone: "UTC",
      complete: [true, true, true, false],
      from: instant(0, 1),
      to: instant(3, 20),
    },
  };
  const marked = (from: string, to: string) => {
    const spans = [{ firstRow: 1, lastRow: 2, from, to, features: ["temp"] }];
    const marks = prepareOutside({ ...found, spans }, axis, scenario);
    return months.map((month) => outsideAt(marks, month).length);
  };
  expect(marked(instant(1, 20), instant(1, 25))).toEqual([0, 1, 0, 0]);
  expect(marked(instant(1, 28), instant(2, 3))).toEqual([0, 1, 1, 0]);
  expect(marked(instant(3, 18), instant(3, 25))).toEqual([0, 0, 0, 1]);
  expect(marked(instant(-1, 5), instant(0, 30))).toEqual([1, 0, 0, 0]);
  // Rows before and after the shown buckets.
  expect(marked(instant(-1, 20), instant(-1, 30))).toEqual([0, 0, 0, 0]);
  expect(marked(instant(3, 21), instant(3, 25))).toEqual([0, 0, 0, 0]);
});
