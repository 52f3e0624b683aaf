import { once } from "node:events";
import Pusher from "pusher";
import type { PresenceChannel } from "pusher-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { exposition } from "#testing/exposition";
import { credentials, next, type Realtime, startRealtime, subscribe } from "#testing/realtime";

let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime();
});
afterEach(() => realtime.close());

test.each(["updates", "private-project-1", "presence-project-1"])(
  "what the server library triggers reaches the browser library on %s",
  async (name) => {
    const channel = await subscribe(realtime.connect(), name);
    const received = next(channel, "job-updated");
    const response = await realtime.api.trigger(name, "job-updated", { id: 1, text: "ä 😀" });
    expect(response.status).toBe(200);
    expect(await received).toEqual({ id: 1, text: "ä 😀" });
  },
);

test("a private channel stays shut to a wrong signature", async () => {
  const channel = realtime.connect("mallory", "another-secret").subscribe("private-project-1");
  const received = vi.fn();
  channel.bind("secret", received);
  expect(await next(channel, "pusher:subscription_error")).toMatchObject({ type: "AuthError", status: 401 });
  await realtime.api.trigger("private-project-1", "secret", {});
  const other = await subscribe(realtime.connect(), "private-project-1");
  const arrived = next(other, "secret");
  await realtime.api.trigger("private-project-1", "secret", {});
  await arrived;
  expect(received).not.toHaveBeenCalled();
});

test("the socket that caused an event can be left out", async () => {
  const [sender, listener] = [realtime.connect(), realtime.connect()];
  const own = await subscribe(sender, "updates");
  const other = await subscribe(listener, "updates");
  const received: unknown[] = [];
  own.bind_global((event: string) => received.push(event));
  const arrived = next(other, "excluded");
  await realtime.api.trigger("updates", "excluded", {}, { socket_id: sender.connection.socket_id });
  await arrived;
  const last = next(own, "last");
  await realtime.api.trigger("updates", "last", {});
  await last;
  expect(received).toEqual(["last"]);
});

test("members of a presence channel see each other come and go, a user with two sockets once", async () => {
  const first = (await subscribe(realtime.connect("anna"), "presence-room")) as PresenceChannel;
  const added = next<{ id: string }>(first, "pusher:member_added");
  const ben = realtime.connect("ben");
  const second = (await subscribe(ben, "presence-room")) as PresenceChannel;
  expect((await added).id).toBe("ben");
  expect(second.members.count).toBe(2);

  const again = realtime.connect("ben");
  await subscribe(again, "presence-room");
  expect(await (await realtime.api.get({ path: "/channels/presence-room/users" })).json()).toEqual({
    users: [{ id: "anna" }, { id: "ben" }],
  });
  const info = await realtime.api.get({
    path: "/channels/presence-room",
    params: { info: "user_count,subscription_count" },
  });
  expect(await info.json()).toEqual({ occupied: true, user_count: 2, subscription_count: 3 });

  const removed = next<{ id: string }>(first, "pusher:member_removed");
  again.disconnect();
  ben.unsubscribe("presence-room");
  expect((await removed).id).toBe("ben");
  expect(first.members.count).toBe(1);
});

test("a client's event goes to the others on a private channel, and with its sender's id on a presence one", async () => {
  const [anna, ben] = [realtime.connect("anna"), realtime.connect("ben")];
  for (const name of ["private-room", "presence-room"]) {
    const [from, to] = [await subscribe(anna, name), await subscribe(ben, name)];
    const arrived = new Promise<unknown[]>((resolve) =>
      to.bind("client-typing", (...values: unknown[]) => resolve(values)),
    );
    from.trigger("client-typing", { on: true });
    const [data, metadata] = await arrived;
    expect(data).toEqual({ on: true });
    if (name === "presence-room") expect(metadata).toMatchObject({ user_id: "anna" });
  }
});

test("a client that sends too many events is told so", async () => {
  const client = realtime.connect();
  const channel = await subscribe(client, "private-room");
  const refused = next<{ data: { code: number } }>(client.connection, "error");
  for (let i = 0; i < 30; i++) channel.trigger("client-typing", { i });
  expect((await refused).data.code).toBe(4301);
});

test("a batch reaches every channel", async () => {
  const channel = await subscribe(realtime.connect(), "updates");
  const both = Promise.all([next(channel, "one"), next(channel, "two")]);
  await realtime.api.triggerBatch([
    { channel: "updates", name: "one", data: { n: 1 } },
    { channel: "updates", name: "two", data: { n: 2 } },
  ]);
  expect(await both).toEqual([{ n: 1 }, { n: 2 }]);
});

test("the occupied channels are listed, with their users where asked for", async () => {
  const client = realtime.connect();
  await subscribe(client, "updates");
  await subscribe(client, "presence-room");
  expect(await (await realtime.api.get({ path: "/channels" })).json()).toEqual({
    channels: { updates: {}, "presence-room": {} },
  });
  const params = { filter_by_prefix: "presence-", info: "user_count" };
  expect(await (await realtime.api.get({ path: "/channels", params })).json()).toEqual({
    channels: { "presence-room": { user_count: 1 } },
  });
  await expect(realtime.api.get({ path: "/channels", params: { info: "user_count" } })).rejects.toMatchObject(
    {
      status: 400,
    },
  );
});

test("data over 10 kB is refused with 413, up to it is delivered", async () => {
  const channel = await subscribe(realtime.connect(), "updates");
  const received = next(channel, "large");
  await realtime.api.trigger("updates", "large", "x".repeat(10_240));
  expect(await received).toBe("x".repeat(10_240));
  await expect(realtime.api.trigger("updates", "large", "x".repeat(10_241))).rejects.toMatchObject({
    status: 413,
  });
});

test("a call with a wrong secret, a stale time or a changed body is refused with 401", async () => {
  const forger = new Pusher({
    ...credentials,
    secret: "guess",
    host: "127.0.0.1",
    port: String(realtime.port),
  });
  await expect(forger.trigger("updates", "x", {})).rejects.toMatchObject({ status: 401 });

  const body = JSON.stringify({ name: "x", channels: ["updates"], data: "{}" });
  const post = (path: string, sent: string) =>
    fetch(`http://127.0.0.1:${realtime.port}${path}`, { method: "POST", body: sent });
  const signed = (params: object) =>
    `/apps/app/events?${realtime.api.createSignedQueryString({ method: "POST", path: "/apps/app/events", body, params } as never)}`;
  expect((await post(signed({}), body)).status).toBe(200);
  expect((await post(signed({}), body.replace('"x"', '"y"'))).status).toBe(401);
  const now = vi.spyOn(Date, "now").mockReturnValueOnce(Date.now() - 601_000);
  expect((await post(signed({}), body)).status).toBe(401);
  now.mockRestore();
  expect((await post("/apps/app/events", body)).status).toBe(401);
  expect((await post("/apps/another/events", body)).status).toBe(404);
});

test.each([
  ["/app/unknown?protocol=7", 4001],
  ["/elsewhere?protocol=7", 4005],
  ["/app/key?protocol=seven", 4006],
  ["/app/key?protocol=3", 4007],
  ["/app/key", 4008],
])("a connection to %s is closed with %i", async (path, code) => {
  const socket = new WebSocket(`ws://127.0.0.1:${realtime.port}${path}`);
  const told = once(socket, "message");
  const closed = once(socket, "close");
  expect(JSON.parse(String((await told)[0]))).toMatchObject({ event: "pusher:error" });
  expect((await closed)[0]).toBe(code);
});

test("nonsense is answered with an error, and the connection goes on", async () => {
  const socket = new WebSocket(realtime.url);
  const received: { event: string }[] = [];
  const pong = new Promise<void>((resolve) => {
    socket.on("message", (raw) => {
      received.push(JSON.parse(String(raw)));
      if (received.at(-1)?.event === "pusher:pong") resolve();
    });
  });
  await once(socket, "open");
  const nonsense = [
    "{",
    "[]",
    "null",
    '{"event":5}',
    '{"event":"pusher:subscribe"}',
    '{"event":"client-x","data":1}',
  ];
  for (const text of nonsense) socket.send(text);
  socket.send('{"event":"pusher:ping","data":{}}');
  await pong;
  expect(received.map(({ event }) => event)).toEqual([
    "pusher:connection_established",
    ...nonsense.map(() => "pusher:error"),
    "pusher:pong",
  ]);
  socket.close();
});

test("a silent client is pinged, one that answers stays, and one that does not is closed with 4201", async () => {
  await realtime.close();
  realtime = await startRealtime({ activityTimeoutSeconds: 0.1, pongSeconds: 0.1 });
  const open = () => new WebSocket(realtime.url);
  const [alive, dead] = [open(), open()];
  let pings = 0;
  const stayed = new Promise<void>((resolve) => {
    alive.on("message", (raw) => {
      if (JSON.parse(String(raw)).event !== "pusher:ping") return;
      alive.send('{"event":"pusher:pong","data":{}}');
      if (++pings === 4) resolve();
    });
  });
  expect((await once(dead, "close"))[0]).toBe(4201);
  await stayed;
  expect(alive.readyState).toBe(WebSocket.OPEN);
  alive.close();
});

test("a client that is let go by a closing server is told to come back", async () => {
  const socket = new WebSocket(realtime.url);
  await once(socket, "message");
  const closed = once(socket, "close");
  await realtime.close();
  expect((await closed)[0]).toBe(4200);
  realtime = await startRealtime();
});

test("its figures tell of connections, channels and messages, in Prometheus' format", async () => {
  const address = `http://127.0.0.1:${realtime.port}/api/metrics`;
  const channels = [realtime.connect(), realtime.connect()].map((client) => subscribe(client, "updates"));
  const arrived = (await Promise.all(channels)).map((channel) => next(channel, "x"));
  await realtime.api.trigger("updates", "x", {});
  await Promise.all(arrived);
  const text = await (await fetch(address)).text();
  const { families, faults } = exposition(text);
  expect(faults).toEqual([]);
  expect([...families]).toEqual([
    ["realtime_connections", "gauge"],
    ["realtime_channels", "gauge"],
    ["realtime_messages_received_total", "counter"],
    ["realtime_messages_sent_total", "counter"],
  ]);
  // Each was greeted, asked for the channel, was let in, and heard of the event.
  expect(text).toMatch(/^realtime_connections 2$/m);
  expect(text).toMatch(/^realtime_channels 1$/m);
  expect(text).toMatch(/^realtime_messages_received_total 2$/m);
  expect(text).toMatch(/^realtime_messages_sent_total 6$/m);
});
