import { once } from "node:events";
import Pusher from "pusher";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { exposition } from "#testing/exposition";
import { credentials, next, type Realtime, startRealtime, subscribe } from "#testing/realtime";

let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime();
});
afterEach(() => realtime.close());

test("delivers an event from the server library to the browser library", async () => {
  const channel = await subscribe(realtime.connect(), "private-project-1");
  const received = next(channel, "job-updated");
  const response = await realtime.api.trigger("private-project-1", "job-updated", { id: 1, text: "ä 😀" });
  expect(response.status).toBe(200);
  expect(await received).toEqual({ id: 1, text: "ä 😀" });
});

test("rejects a subscription with a wrong signature, and sends it no events", async () => {
  const channel = realtime.connect({ secret: "another-secret" }).subscribe("private-project-1");
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

test("excludes the socket that caused an event on request", async () => {
  const [sender, listener] = [realtime.connect(), realtime.connect()];
  const own = await subscribe(sender, "private-updates");
  const other = await subscribe(listener, "private-updates");
  const received: unknown[] = [];
  own.bind_global((event: string) => received.push(event));
  const arrived = next(other, "excluded");
  await realtime.api.trigger("private-updates", "excluded", {}, { socket_id: sender.connection.socket_id });
  await arrived;
  const last = next(own, "last");
  await realtime.api.trigger("private-updates", "last", {});
  await last;
  expect(received).toEqual(["last"]);
});

test("delivers all events of a batch", async () => {
  const channel = await subscribe(realtime.connect(), "private-updates");
  const both = Promise.all([next(channel, "one"), next(channel, "two")]);
  await realtime.api.triggerBatch([
    { channel: "private-updates", name: "one", data: { n: 1 } },
    { channel: "private-updates", name: "two", data: { n: 2 } },
  ]);
  expect(await both).toEqual([{ n: 1 }, { n: 2 }]);
});

test("lists the occupied channels, on request by prefix and with subscription counts", async () => {
  const client = realtime.connect();
  await subscribe(client, "private-updates");
  await subscribe(client, "private-room");
  expect(await (await realtime.api.get({ path: "/channels" })).json()).toEqual({
    channels: { "private-updates": {}, "private-room": {} },
  });
  const params = { filter_by_prefix: "private-r", info: "subscription_count" };
  expect(await (await realtime.api.get({ path: "/channels", params })).json()).toEqual({
    channels: { "private-room": { subscription_count: 1 } },
  });
});

test("delivers data of 10 kB and rejects larger data with 413", async () => {
  const channel = await subscribe(realtime.connect(), "private-updates");
  const received = next(channel, "large");
  await realtime.api.trigger("private-updates", "large", "x".repeat(10_240));
  expect(await received).toBe("x".repeat(10_240));
  await expect(realtime.api.trigger("private-updates", "large", "x".repeat(10_241))).rejects.toMatchObject({
    status: 413,
  });
});

test("rejects a call with a wrong secret, an old time or a changed body with 401", async () => {
  const forger = new Pusher({
    ...credentials,
    secret: "guess",
    host: "127.0.0.1",
    port: String(realtime.port),
  });
  await expect(forger.trigger("private-updates", "x", {})).rejects.toMatchObject({ status: 401 });

  const body = JSON.stringify({ name: "x", channels: ["private-updates"], data: "{}" });
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
])("closes a connection to %s with %i", async (path, code) => {
  const socket = new WebSocket(`ws://127.0.0.1:${realtime.port}${path}`);
  const error = once(socket, "message");
  const closed = once(socket, "close");
  expect(JSON.parse(String((await error)[0]))).toMatchObject({ event: "pusher:error" });
  expect((await closed)[0]).toBe(code);
});

test("answers invalid messages with an error and keeps the connection", async () => {
  const socket = new WebSocket(realtime.url);
  const received: { event: string }[] = [];
  const pong = new Promise<void>((resolve) => {
    socket.on("message", (raw) => {
      received.push(JSON.parse(String(raw)));
      if (received.at(-1)?.event === "pusher:pong") resolve();
    });
  });
  await once(socket, "open");
  const invalid = [
    "{",
    "[]",
    "null",
    '{"event":5}',
    '{"event":"pusher:subscribe"}',
    '{"event":"client-x","data":1}',
  ];
  for (const text of invalid) socket.send(text);
  socket.send('{"event":"pusher:ping","data":{}}');
  await pong;
  expect(received.map(({ event }) => event)).toEqual([
    "pusher:connection_established",
    ...invalid.map(() => "pusher:error"),
    "pusher:pong",
  ]);
  socket.close();
});

test("pings silent clients, keeps one that answers, and closes one that does not with 4201", async () => {
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

test("asks clients to reconnect when it closes", async () => {
  const socket = new WebSocket(realtime.url);
  await once(socket, "message");
  const closed = once(socket, "close");
  await realtime.close();
  expect((await closed)[0]).toBe(4200);
  realtime = await startRealtime();
});

test("returns metrics of connections, channels and messages in the Prometheus format", async () => {
  const address = `http://127.0.0.1:${realtime.port}/api/metrics`;
  const channels = [realtime.connect(), realtime.connect()].map((client) =>
    subscribe(client, "private-updates"),
  );
  const arrived = (await Promise.all(channels)).map((channel) => next(channel, "x"));
  await realtime.api.trigger("private-updates", "x", {});
  await Promise.all(arrived);
  const text = await (await fetch(address)).text();
  const { families, issues } = exposition(text);
  expect(issues).toEqual([]);
  expect([...families]).toEqual([
    ["realtime_connections", "gauge"],
    ["realtime_channels", "gauge"],
    ["realtime_messages_received_total", "counter"],
    ["realtime_messages_sent_total", "counter"],
  ]);
  // Each client received a greeting, a confirmation of its subscription and an event.
  expect(text).toMatch(/^realtime_connections 2$/m);
  expect(text).toMatch(/^realtime_channels 1$/m);
  expect(text).toMatch(/^realtime_messages_received_total 2$/m);
  expect(text).toMatch(/^realtime_messages_sent_total 6$/m);
});
