import { expect, test } from "vitest";
import { axisOf } from "#components/chart/axis.ts";
import { boundsOf, textsOf } from "./span-state.ts";

const days = { from: "2026-01-05", to: "2026-01-31" };
const axis = (timezone: string) =>
  axisOf({ timestamps: [1, 2, 3].map((day) => `2026-01-0${day}T00:00:00Z`) }, { frequency: "P1D", timezone });
const rows = axisOf({ rows: [1, 2, 3] });

test("writes the bounds of the URL as days or rows, and back, with the whole last day", () => {
  const bounds = boundsOf(days, axis("UTC"));
  expect(bounds).toEqual({ from: "2026-01-05", to: "2026-01-31T23:59:59Z" });
  expect(textsOf({ from: bounds.from!, to: bounds.to! }, axis("UTC"))).toEqual(days);
  expect(textsOf({ from: "2026-01-05T13:22:01.500Z", to: null }, axis("UTC"))).toEqual({
    from: "2026-01-05",
    to: "",
  });
  expect(boundsOf({ from: "3", to: "12" }, rows)).toEqual({ from: "3", to: "12" });
  expect(textsOf({ from: "3", to: "12" }, rows)).toEqual({ from: "3", to: "12" });
});

test.each(["Europe/Berlin", "Pacific/Auckland", "America/New_York"])(
  "begins and ends days in the zone of the rows: %s",
  (timezone) => {
    const timestamps = ["2026-01-05", "2026-01-06", "2026-01-07"].map((day) => {
      const offset = { "Europe/Berlin": -1, "Pacific/Auckland": -13, "America/New_York": 5 }[timezone]!;
      return new Date(Date.parse(day) + offset * 3_600_000).toISOString();
    });
    const inZone = axisOf({ timestamps }, { frequency: "P1D", timezone });
    const bounds = boundsOf(days, inZone);
    expect(Date.parse(bounds.from!)).toBe(Date.parse(timestamps[0]!));
    expect(textsOf({ from: bounds.from!, to: bounds.to! }, inZone)).toEqual(days);
  },
);

test("changes only the given bound, and clears an empty one", () => {
  expect(boundsOf({ to: "" }, axis("UTC"))).toEqual({ to: null });
  expect(boundsOf({ from: "" }, rows)).toEqual({ from: null });
});
