import { expect, test } from "vitest";
import { turnFor } from "#lib/scenarios/comparison/long-turns";
import type { ScenarioRow } from "../queries.ts";

const rows = (...counts: number[]) => counts.map((rowCount) => ({ scenario: { rowCount } }) as ScenarioRow);
const long = rows(3_000_000, 3_000_000);

test("two look at long scenarios at a time, and whoever looks at short ones waits for nobody", async () => {
  const first = await turnFor(long);
  const second = await turnFor(long);
  (await turnFor(rows(3_000_000)))[Symbol.dispose]();
  const third = turnFor(long);
  let begun = false;
  void third.then(() => (begun = true));
  await turnFor(rows(1));
  expect(begun).toBe(false);
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  second[Symbol.dispose]();
});

test("who goes while waiting leaves the queue, and takes no turn", async () => {
  const held = [await turnFor(long), await turnFor(long)];
  const gone = new AbortController();
  const left = turnFor(long, gone.signal);
  const next = turnFor(long);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  held[0]![Symbol.dispose]();
  (await next)[Symbol.dispose]();
  held[1]![Symbol.dispose]();
});
