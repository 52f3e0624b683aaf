import { expect, test } from "vitest";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { describeOutside, outsideAt, prepareOutside, shadedSpans } from "./prepare-outside.ts";

const at = (hour: number) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
const span = (first: number, last: number, ...features: string[]) => ({
  ...{ firstRow: first, lastRow: last, from: at(first), to: at(last), features },
});
const found: Extrapolation = {
  rowCount: 30,
  features: [{ feature: "temp", rows: 4, firstRow: 2, firstTimestamp: at(2), range: null, unseen: null }],
  spans: [span(2, 4, "temp"), span(8, 8, "temp", "wind"), span(20, 21, "wind")],
};
const shown = (kind: "time" | "row", from: number, to: number): PreparedComparison => ({
  ...{ kind, series: [], hasBands: false, domain: [from, to] },
  points: Array.from({ length: 11 }, (_, i) => ({ x: from + ((to - from) * i) / 10 })),
});
const scenario = { id: "s", title: "Warm", color: "#39d" };

test("stretches are cut to what is shown, and a single row is as wide as a point", () => {
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

test("a place names the features that are outside at it, and the text those of the whole", () => {
  const marks = prepareOutside(found, shown("row", 3, 13), scenario);
  expect(outsideAt(marks, 8)).toEqual([
    { id: "s", title: "Warm", text: "outside of training in temp, wind" },
  ]);
  expect(outsideAt(marks, 6)).toEqual([]);
  expect(describeOutside([{ title: "Warm", extrapolation: found }])).toBe(
    "Shaded where inputs are outside of what the model was trained on: Warm in temp (4 of 30 rows).",
  );
  const none = { rowCount: 3, features: [], spans: [] };
  expect(describeOutside([{ title: "Warm", extrapolation: none }])).toBeNull();
});

test("a stretch is shaded once, however many are outside in it; that nothing is shaded changes no picture", () => {
  const marks = ["a", "b"].flatMap((id) =>
    prepareOutside(found, shown("row", 3, 13), { ...scenario, id, title: id }),
  );
  expect(shadedSpans(marks)).toEqual([
    [3, 4.5],
    [7.5, 8.5],
  ]);
  // Charts draw anew what is another object.
  expect(shadedSpans([])).toBe(shadedSpans([]));
});
