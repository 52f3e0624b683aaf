import { expect, test } from "vitest";
import { mayHaveMissedEvents } from "./missed-events.ts";

test("a page missed nothing if the newest event was sent before the page was requested", () => {
  expect(mayHaveMissedEvents(0, 2_000)).toBe(true);
  expect(mayHaveMissedEvents(1.9, 2_000)).toBe(true);
  expect(mayHaveMissedEvents(2.1, 2_000)).toBe(false);
  expect(mayHaveMissedEvents(null, 2_000)).toBe(false);
  expect(mayHaveMissedEvents(null, 60_000)).toBe(true);
});
