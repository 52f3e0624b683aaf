import { and, eq, isNull, sql } from "drizzle-orm";
import PusherClient from "pusher-js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client";
import { outboxEvents } from "#db/schema/jobs";
import { channelOf } from "#lib/contract/channel";
import type { EventPayload, RealtimeConnection } from "#lib/contract/realtime";
import type { PusherSettings } from "#lib/platform/config/environment";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { type RealtimeServer, startRealtimeServer } from "#server/realtime/start-realtime-server";
import { createKey, createProject, createUser } from "#testing/api";
import { callRoute, nobody } from "#testing/call-route";
import { createTestDatabase, type TestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { POST as authorize } from "../../../app/api/v1/realtime/auth/route.ts";
import { GET as describeConnection } from "../../../app/api/v1/realtime/route.ts";
import { EventChannel } from "./event-channel.ts";
import { publishEvent } from "./publish-event.ts";
import { relayEvents, relayLock } from "./relay-events.ts";
import { startRelay } from "./start-relay.ts";

let settings: PusherSettings;
let server: RealtimeServer;
let test: TestDatabase;
let db: Database;
const clients: PusherClient[] = [];
const relays: (() => Promise<void>)[] = [];

const account = { appId: "app", key: "key", secret: "secret-secret" };
const startServer = (port: number) => startRealtimeServer({ ...account, port, host: "127.0.0.1" });

beforeAll(async () => {
  server = await startServer(0);
  settings = { ...account, host: "127.0.0.1", port: server.port, useTls: false, cluster: null };
  setEnvironment({
    PUSHER_APP_ID: account.appId,
    PUSHER_KEY: account.key,
    PUSHER_SECRET: account.secret,
    PUSHER_HOST: "127.0.0.1",
    PUSHER_PORT: String(server.port),
    PUSHER_USE_TLS: "0",
  });
  test = await createTestDatabase();
  db = database();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  await Promise.all(relays.splice(0).map((stop) => stop()));
});
afterAll(() => server.close());

async function relay(): Promise<void> {
  relays.push(startRelay(test, settings));
}

type Received = { name: string; payload: EventPayload };

/** A browser library's client that has the project's channel authorised by the real route. */
async function listen(projectId: string, key: string): Promise<Received[]> {
  const received: Received[] = [];
  const client = new PusherClient(account.key, {
    cluster: "mt1",
    wsHost: "127.0.0.1",
    wsPort: server.port,
    forceTLS: false,
    disableStats: true,
    enabledTransports: ["ws"],
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler({ socketId, channelName }, callback) {
        const body = new URLSearchParams({ socket_id: socketId, channel_name: channelName }).toString();
        const headers = { "content-type": "application/x-www-form-urlencoded", "x-api-key": key };
        callRoute(authorize, { body, headers }).then(
          (answer) => callback(null, answer.body as { auth: string }),
          (error: Error) => callback(error, null),
        );
      },
    },
  });
  clients.push(client);
  const channel = client.subscribe(channelOf(projectId));
  channel.bind_global((name: string, payload: EventPayload) => {
    if (!name.startsWith("pusher:")) received.push({ name, payload });
  });
  await new Promise((resolve) => channel.bind("pusher:subscription_succeeded", resolve));
  return received;
}

const publish = (projectId: string, label: string) =>
  db.transaction((tx) =>
    publishEvent(tx, {
      projectId,
      name: "checkpoint-created",
      entityId: newId(),
      jobId: null,
      label,
      status: "Completed",
    }),
  );
const labels = (received: Received[]) => received.map(({ payload }) => payload.label);
const soon = { interval: 20, timeout: 20_000 };

describe("the outbox", () => {
  it("reaches a browser's client in order, and a rollback sends nothing", async () => {
    const { id: projectId } = await createProject();
    const { key } = await createKey({ projectId });
    const received = await listen(projectId, key);
    await relay();
    await publish(projectId, "0");
    await expect(
      db.transaction(async (tx) => {
        await publishEvent(tx, {
          projectId,
          name: "checkpoint-created",
          entityId: newId(),
          jobId: null,
          label: "never",
          status: null,
        });
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    for (let count = 1; count < 30; count++) await publish(projectId, String(count));
    await expect
      .poll(() => labels(received), soon)
      .toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
    const rows = await db.select().from(outboxEvents).where(eq(outboxEvents.projectId, projectId));
    expect(new Set(received.map(({ payload }) => payload.eventId))).toEqual(
      new Set(rows.map(({ payload }) => payload.eventId)),
    );
    await expect.poll(() => db.$count(outboxEvents, eq(outboxEvents.projectId, projectId)), soon).toBe(30);
  });

  it("waits during an outage of the channel and is sent afterwards", async () => {
    const { id: projectId } = await createProject();
    const { key } = await createKey({ projectId });
    await server.close();
    await publish(projectId, "while it was down");
    await expect(relayEvents(db, new EventChannel(settings))).rejects.toThrow();
    await relay();
    await publish(projectId, "later");
    const waiting = await db.select().from(outboxEvents).where(eq(outboxEvents.projectId, projectId));
    expect(waiting.map(({ publishedAt }) => publishedAt)).toEqual([null, null]);
    // Events sent before the client listens would not reach it: the lock stops every relay until then.
    const received = await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${relayLock})`);
      server = await startServer(server.port);
      return listen(projectId, key);
    });
    await expect.poll(() => labels(received), soon).toEqual(["while it was down", "later"]);
  });

  it("is emptied by one of several relays at a time, in order", async () => {
    const { id: projectId } = await createProject();
    const { key } = await createKey({ projectId });
    const received = await listen(projectId, key);
    await Promise.all([relay(), relay(), relay()]);
    const wanted = Array.from({ length: 60 }, (_, index) => String(index));
    for (const label of wanted) await publish(projectId, label);
    await expect.poll(() => labels(received), soon).toEqual(wanted);
  });
});

describe("POST /api/v1/realtime/auth", () => {
  const ask = (channel_name: string, as: { headers: Record<string, string> }) =>
    callRoute(authorize, { body: { socket_id: "123.456", channel_name }, as });

  it("authorises a project's channel for its keys and for sessions, without an envelope", async () => {
    const { id: projectId } = await createProject();
    for (const as of [await createKey({ projectId }), await createUser({ role: "analyst" })]) {
      const answer = await ask(channelOf(projectId), as);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ auth: expect.stringMatching(/^key:[0-9a-f]{64}$/) });
    }
  });

  it("rejects every other channel", async () => {
    const key = await createKey({ projectId: (await createProject()).id });
    const deleted = await createProject({ deletedAt: new Date() });
    const session = await createUser({ role: "admin" });
    const foreign = channelOf((await createProject()).id);
    const own = channelOf(key.projectId);
    const cases = [
      ...[foreign, channelOf(newId()), channelOf("x"), "private-x", "updates", own.toUpperCase()].map(
        (channel) => [channel, key] as const,
      ),
      [channelOf(deleted.id), session] as const,
      [`presence-project-${key.projectId}`, session] as const,
    ];
    for (const [channel, as] of cases) {
      const { status, error } = await ask(channel, as);
      expect([channel, status, error?.code]).toEqual([channel, 404, "project_not_found"]);
    }
  });

  it("rejects anonymous and malformed requests", async () => {
    const key = await createKey({ projectId: (await createProject()).id });
    expect((await ask(channelOf(key.projectId), nobody)).status).toBe(401);
    const body = { socket_id: "1.2:channel", channel_name: channelOf(key.projectId) };
    expect((await callRoute(authorize, { body, as: key })).error?.code).toBe("validation_failed");
    const misspelt = { socket_id: "1.2", channel_name: channelOf(key.projectId), socketId: "1.2" };
    expect((await callRoute(authorize, { body: misspelt, as: key })).error?.code).toBe("validation_failed");
  });
});

describe("GET /api/v1/realtime", () => {
  it("returns the channel of a key's project under the host of the request", async () => {
    const key = await createKey({ projectId: (await createProject()).id });
    const { data } = await callRoute(describeConnection, { as: key });
    expect(data).toEqual({
      key: "key",
      host: "service.test",
      port: settings.port,
      tls: false,
      channel: channelOf(key.projectId),
      secondsSinceLastEvent: null,
    });
    const foreign = await createProject();
    const rejected = await callRoute(describeConnection, { as: key, query: { projectId: foreign.id } });
    expect(rejected.error?.code).toBe("project_not_found");
  });

  it("returns the seconds since the newest event was sent, and 0 while one waits", async () => {
    const { id: projectId } = await createProject();
    const as = await createKey({ projectId });
    const seconds = async () => {
      const { data } = await callRoute<RealtimeConnection>(describeConnection, { as });
      return data.secondsSinceLastEvent;
    };
    await db.delete(outboxEvents).where(eq(outboxEvents.projectId, projectId));
    expect(await seconds()).toBeNull();
    const event = { projectId, name: "project-updated", entityId: projectId, label: null } as const;
    const publish = () => db.transaction((tx) => publishEvent(tx, { ...event, jobId: null, status: null }));
    const sendBefore = (interval: string) =>
      db
        .update(outboxEvents)
        .set({ publishedAt: sql`now() - ${interval}::interval` })
        .where(and(eq(outboxEvents.projectId, projectId), isNull(outboxEvents.publishedAt)));
    await publish();
    await sendBefore("61 seconds");
    expect(await seconds()).toBeNull();
    await publish();
    await sendBefore("40 seconds");
    await publish();
    await sendBefore("30 seconds");
    expect(await seconds()).toSatisfy((value: number) => value >= 30 && value < 40);
    await publish();
    expect(await seconds()).toBe(0);
  });

  it("requires a project from a session", async () => {
    const { id: projectId } = await createProject();
    const as = await createUser({ role: "analyst" });
    const answer = await callRoute<{ channel: string }>(describeConnection, { as, query: { projectId } });
    expect(answer.data.channel).toBe(channelOf(projectId));
    expect((await callRoute(describeConnection, { as })).error?.code).toBe("validation_failed");
  });
});
