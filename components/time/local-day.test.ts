import { expect, test } from "vitest";
import { endOfDay, isDayBound, localDay, startOfDay } from "./local-day.ts";

test.each([
  ["UTC", "2026-02-14", "2026-02-14", "2026-02-14T23:59:59Z"],
  [null, "2026-02-14", "2026-02-14", "2026-02-14T23:59:59Z"],
  ["Europe/Berlin", "2026-02-14", "2026-02-13T23:00:00Z", "2026-02-14T22:59:59Z"],
  // The clock is put forward on this day, which has 23 hours.
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z"],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T04:59:59Z"],
  // Midnight does not exist on this day.
  ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z", "2026-03-29T20:59:59Z"],
])("a day of %s ends with its last local second: %s", (timezone, day, start, end) => {
  expect([startOfDay(day, timezone), endOfDay(day, timezone)]).toEqual([start, end]);
  for (const bound of [start, end]) {
    expect(localDay(bound, timezone)).toBe(day);
    expect(isDayBound(bound, timezone)).toBe(true);
  }
  expect(isDayBound("2026-02-14T09:30:00Z", timezone)).toBe(false);
});

test.each(["UTC", "Europe/Berlin"])(
  "an invalid day stays as it is written, for the service to name: %s",
  (timezone) => {
    expect(startOfDay("12026-01-01", timezone)).toBe("12026-01-01");
    expect(localDay(endOfDay("12026-01-01", timezone), timezone)).toBe("12026-01-01");
  },
);
