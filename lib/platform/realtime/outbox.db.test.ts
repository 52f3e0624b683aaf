import { eq, isNull, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { outboxEvents } from "#db/schema/jobs";
import { newId } from "#lib/platform/ids/new-id";
import { startEventSink } from "#testing/event-sink";
import { createTestDatabase } from "#testing/postgres";
import { ChannelError } from "./channel-error.ts";
import { EventChannel } from "./event-channel.ts";
import { forgetEvents } from "./forget-events.ts";
import { publishEvent } from "./publish-event.ts";
import { relayEvents } from "./relay-events.ts";
import { startRelay } from "./start-relay.ts";

const connection = await createTestDatabase();
const { db } = connection;
const projectId = newId();
let sink: Awaited<ReturnType<typeof startEventSink>>;
let channel: EventChannel;

beforeEach(async () => {
  await db.delete(outboxEvents);
  sink = await startEventSink();
  await sink.listen();
  channel = new EventChannel(sink.settings(), 60_000);
});
afterEach(async () => {
  channel.rest();
  await sink.close();
});

const event = (label: string, name: "checkpoint-created" | "job-updated" = "checkpoint-created") => ({
  projectId,
  name,
  entityId: newId(),
  jobId: null,
  status: "Completed",
  label,
});
const publish = (...labels: string[]) =>
  db.transaction(async (tx) => {
    for (const label of labels) await publishEvent(tx, event(label));
  });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const taken = () => sink.taken.map(({ label }) => label);
const waiting = () => db.$count(outboxEvents, isNull(outboxEvents.publishedAt));

async function relayAll(): Promise<void> {
  while ((await relayEvents(db, channel)) > 0);
}

describe("orders events by the commit of their transaction", () => {
  it.each([
    ["before", true],
    ["only after", false],
  ])(
    "if a transaction publishes first and commits last, and events are sent %s its commit",
    async (_, early) => {
      const [published, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = db.transaction(async (tx) => {
        await publishEvent(tx, event("published first, committed last"));
        await publishEvent(tx, event("of the same transaction"));
        published.resolve();
        await commit.promise;
      });
      await published.promise;
      await publish("meanwhile");
      if (early) await relayAll();
      commit.resolve();
      await slow;
      await publish("afterwards");
      await relayAll();
      const inOrder = [
        "meanwhile",
        "published first, committed last",
        "of the same transaction",
        "afterwards",
      ];
      expect(taken()).toEqual(inOrder);
      const rows = await db.select().from(outboxEvents).orderBy(outboxEvents.sequence);
      expect(rows.map(({ payload }) => payload.label)).toEqual(inOrder);
    },
  );
});

describe("a channel that fails", () => {
  test.each([
    ["nothing", "The realtime channel does not answer"],
    ["a head without its body", "The realtime channel does not answer"],
    ["taken, then cut off", "The realtime channel does not answer"],
    [500, "The realtime channel answers 500: {}"],
    [429, "The realtime channel answers 429: {}"],
    [413, "The realtime channel answers 413: {}"],
    [401, "The realtime channel answers 401: {}"],
    [301, "The realtime channel answers 301: {}"],
    ["a page of another service", "The realtime channel answers 200: <html>"],
  ] as const)(
    "answers %s: all events wait, and are sent in order after its recovery",
    async (answer, message) => {
      await publish(...numbers(25));
      sink.answer(answer);
      const silent = answer === "nothing" || answer === "a head without its body";
      const ill = silent ? new EventChannel(sink.settings(), 300) : channel;
      const failure = await relayEvents(db, ill).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ChannelError);
      expect((failure as Error).message).toBe(message);
      expect(await waiting()).toBe(25);
      sink.taken.length = 0;
      sink.answer(200);
      await relayAll();
      expect(taken()).toEqual(numbers(25));
      expect(await waiting()).toBe(0);
    },
  );

  it("does not prevent the stop of a relay", async () => {
    sink.answer("nothing");
    await publish("0");
    const stop = startRelay(connection, sink.settings());
    await expect.poll(() => sink.calls.length).toBeGreaterThan(0);
    await stop();
    expect(await waiting()).toBe(1);
  });
});

describe("an event that a channel rejects", () => {
  it("is sent in a smaller call if the channel limits the size of calls", async () => {
    await publish(...numbers(30));
    sink.answer(({ bytes }) => (bytes > 1_500 ? 413 : 200));
    await relayAll();
    expect(taken()).toEqual(numbers(30));
  });

  it("is dropped if the channel is healthy, and delays no other event", async () => {
    await publish("0", "poison", "1", "2", "poison");
    sink.answer(({ payloads }) => (payloads.some(({ label }) => label === "poison") ? 400 : 200));
    await relayAll();
    expect(taken()).toEqual(["0", "1", "2"]);
    expect(await waiting()).toBe(0);
  });
});

it("sends an event again with the same eventId after a relay ended between sending and marking", async () => {
  await publish("0", "1");
  sink.answer("taken, then cut off");
  await expect(relayEvents(db, channel)).rejects.toThrow(ChannelError);
  sink.answer(200);
  await relayAll();
  const [first, second, ...again] = sink.taken;
  expect(again).toEqual([first, second]);
});

it("deletes sent events after a day and waiting events after a week", async () => {
  await publish("sent long ago", "sent just now", "waits for six days", "waits for eight days");
  const set = (label: string, values: { publishedAt?: string; createdAt?: string }) => {
    const times = Object.entries(values).map(([column, ago]) => [column, sql`now() - ${ago}::interval`]);
    return db
      .update(outboxEvents)
      .set(Object.fromEntries(times))
      .where(eq(sql`${outboxEvents.payload} ->> 'label'`, label));
  };
  await set("sent long ago", { createdAt: "26 hours", publishedAt: "25 hours" });
  await set("sent just now", { createdAt: "9 days", publishedAt: "1 minute" });
  await set("waits for six days", { createdAt: "6 days" });
  await set("waits for eight days", { createdAt: "8 days" });
  await forgetEvents(db);
  const left = await db.select({ payload: outboxEvents.payload }).from(outboxEvents);
  expect(left.map(({ payload }) => payload.label).sort()).toEqual(["sent just now", "waits for six days"]);
});
