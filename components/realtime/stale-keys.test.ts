import { InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test } from "vitest";
import { eventNames } from "#lib/contract/channel";
import { rereading, staleKeys } from "./stale-keys.ts";

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

/** Shows a query whose reads end as the test decides. */
function show(client: QueryClient, name: string) {
  const reads: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    reads.push(Promise.withResolvers());
    return reads.at(-1)!.promise;
  };
  const options = {
    queryKey: ["project", "p", name],
    queryFn,
    initialData: "",
    staleTime: Number.POSITIVE_INFINITY,
  };
  onTestFinished(new QueryObserver(client, { ...options, retry: false }).subscribe(() => {}));
  return reads;
}

test("runs one further read of a query after the current one for events that arrive during it", async () => {
  const client = new QueryClient();
  const jobs = show(client, "jobs");
  const reread = rereading(client);
  const all = reread(["project", "p", "jobs"]);
  await expect.poll(() => jobs.length).toBe(1);
  for (let count = 0; count < 50; count++) await reread(["project", "p"]);
  expect(jobs).toHaveLength(1);
  jobs[0]!.resolve("first");
  await expect.poll(() => jobs.length).toBe(2);
  jobs[1]!.resolve("second");
  await all;
  expect(client.getQueryData(["project", "p", "jobs"])).toBe("second");
  expect(jobs).toHaveLength(2);
  void reread(["project", "p"]);
  await expect.poll(() => jobs.length).toBe(3);
});

test("reads the other queries again while one read does not end", async () => {
  const client = new QueryClient();
  const [slow, jobs] = [show(client, "sensitivity"), show(client, "jobs")];
  const reread = rereading(client);
  for (const count of [1, 2, 3]) {
    void reread(["project", "p"]);
    await expect.poll(() => jobs.length).toBe(count);
    jobs.at(-1)!.resolve(`${count}`);
    await expect.poll(() => client.isFetching({ queryKey: ["project", "p", "jobs"] })).toBe(0);
  }
  expect(slow).toHaveLength(1);
});

test("continues with further reads after a failed read", async () => {
  const client = new QueryClient();
  const jobs = show(client, "jobs");
  const reread = rereading(client);
  const failed = reread(["project", "p"]);
  await expect.poll(() => jobs.length).toBe(1);
  jobs[0]!.reject(new Error("no answer"));
  await failed;
  void reread(["project", "p"]);
  await expect.poll(() => jobs.length).toBe(2);
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
  const read = rereading(client)(["project", "p"]);
  await respond();
  await expect.poll(() => list.getCurrentResult().data?.pages).toEqual(["first", "second"]);
  await respond();
  await respond();
  await read;
  expect(requested).toEqual(["first", "second", "first", "second"]);
  stop();
});
