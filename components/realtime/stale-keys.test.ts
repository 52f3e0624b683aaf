import { InfiniteQueryObserver, QueryClient, type QueryKey } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { eventNames } from "#lib/contract/channel";
import { refetch, rereading, staleKeys } from "./stale-keys.ts";

test("rereads the project after each event, and the list of projects after changes that it shows", () => {
  const event = {
    eventId: "e",
    projectId: "p",
    entityId: "x",
    label: null,
    occurredAt: "2026-01-31T00:00:00Z",
  };
  for (const name of eventNames) {
    const keys = staleKeys(name, { ...event, jobId: null, status: null });
    expect(keys).toContainEqual(["project", "p"]);
    const isListed = ["project-updated", "dataset-changed", "default-changed"].includes(name);
    expect(keys.length).toBe(isListed ? 2 : 1);
  }
  const running = staleKeys("job-updated", { ...event, jobId: "x", status: "Running" });
  expect(running).toEqual([["project", "p", "jobs"]]);
});

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

test("keeps a further page that a reader has requested, and reads it again", async () => {
  const client = new QueryClient();
  const requested: string[] = [];
  const responses: (() => void)[] = [];
  const list = new InfiniteQueryObserver(client, {
    queryKey: ["project", "p", "jobs"],
    initialPageParam: "first",
    queryFn({ pageParam }) {
      requested.push(pageParam);
      return new Promise<string>((resolve) => responses.push(() => resolve(pageParam)));
    },
    getNextPageParam: (page) => (page === "first" ? "second" : null),
  });
  const stop = list.subscribe(() => {});
  const respond = async () => {
    await expect.poll(() => responses.length).toBe(1);
    responses.shift()!();
  };
  await respond();
  await expect.poll(() => list.getCurrentResult().data?.pages).toEqual(["first"]);
  void list.fetchNextPage();
  const read = refetch(client, ["project", "p"]);
  await respond();
  await expect.poll(() => list.getCurrentResult().data?.pages).toEqual(["first", "second"]);
  await respond();
  await respond();
  await read;
  expect(requested).toEqual(["first", "second", "first", "second"]);
  stop();
});
