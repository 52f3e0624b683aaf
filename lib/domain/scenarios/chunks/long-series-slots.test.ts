import { expect, test } from "vitest";
import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import { acquireSlot } from "./long-series-slots.ts";

const rows = (...counts: number[]) => counts.map((rowCount) => ({ scenario: { rowCount } }) as ScenarioRow);
const long = rows(3_000_000, 3_000_000);

test("two requests for long scenarios run at a time, and requests for short scenarios do not wait", async () => {
  const first = await acquireSlot(long);
  const second = await acquireSlot(long);
  (await acquireSlot(rows(3_000_000)))[Symbol.dispose]();
  const third = acquireSlot(long);
  let begun = false;
  void third.then(() => (begun = true));
  await acquireSlot(rows(1));
  expect(begun).toBe(false);
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  second[Symbol.dispose]();
});

test("an aborted request leaves the queue without taking a slot", async () => {
  const held = [await acquireSlot(long), await acquireSlot(long)];
  const gone = new AbortController();
  const left = acquireSlot(long, gone.signal);
  const next = acquireSlot(long);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  held[0]![Symbol.dispose]();
  (await next)[Symbol.dispose]();
  held[1]![Symbol.dispose]();
});
