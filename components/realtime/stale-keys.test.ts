import type { QueryKey } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { rereading } from "./stale-keys.ts";

test("runs one further read after the current one for events that arrive during it", async () => {
  const begun: QueryKey[] = [];
  const ends: (() => void)[] = [];
  const reread = rereading((key) => {
    begun.push(key);
    return new Promise((resolve) => ends.push(resolve));
  });
  const all = reread(["jobs"]);
  for (let count = 0; count < 50; count++) void reread(["jobs"]);
  void reread(["project"]);
  expect(begun).toEqual([["jobs"]]);
  ends.shift()!();
  await expect.poll(() => begun).toEqual([["jobs"], ["jobs"], ["project"]]);
  for (const end of ends.splice(0)) end();
  await all;
  expect(begun).toHaveLength(3);
  void reread(["jobs"]);
  expect(begun).toHaveLength(4);
});

test("continues with other reads after a failed read", async () => {
  let count = 0;
  const reread = rereading(async () => {
    if (++count === 1) throw new Error("no answer");
  });
  await expect(reread(["jobs"])).rejects.toThrow("no answer");
  await reread(["jobs"]);
  expect(count).toBe(2);
});
