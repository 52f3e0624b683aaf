import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openRawSocket } from "#testing/raw-socket";
import { next, type Realtime, startRealtime, subscribe } from "#testing/realtime";

// Parts of the Pusher protocol that docs/decisions/0178 excludes, requested by the unmodified libraries.

let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime();
});
afterEach(() => realtime.close());

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

describe.each([
  "updates",
  "presence-room",
  "cache-news",
  "private-cache-news",
  "private-encrypted-cache-news",
  "presence-cache-news",
])("the channel %s", (name) => {
  test("rejects a subscription with 400 and keeps the connection", async () => {
    const client = realtime.connect();
    const error = await next(client.subscribe(name), "pusher:subscription_error");
    expect(error).toEqual({
      type: "AuthError",
      status: 400,
      error: expect.stringMatching(/^Unsupported channel type: /),
    });
    await subscribe(client, "private-room");
  });

  test("rejects an event, a batch and a query with 400", async () => {
    expect(await statusOf(realtime.api.trigger(name, "x", {}))).toBe(400);
    expect(await statusOf(realtime.api.triggerBatch([{ channel: name, name: "x", data: {} }]))).toBe(400);
    expect(await statusOf(realtime.api.get({ path: `/channels/${name}` }))).toBe(400);
  });
});

test("rejects a client event with 4301 and sends it to no subscriber", async () => {
  const [sender, listener] = [realtime.connect(), realtime.connect()];
  const from = await subscribe(sender, "private-room");
  const to = await subscribe(listener, "private-room");
  const received = vi.fn();
  to.bind("client-typing", received);
  const error = next(sender.connection, "error");
  from.trigger("client-typing", { on: true });
  expect(await error).toMatchObject({ data: { code: 4301, message: "Client events are not supported" } });
  const last = next(to, "last");
  await realtime.api.trigger("private-room", "last", {});
  await last;
  expect(received).not.toHaveBeenCalled();
});

describe("users", () => {
  test("rejects a sign-in with an error and keeps the connection", async () => {
    const client = realtime.connect();
    const error = next(client.connection, "error");
    client.signin();
    expect(await error).toMatchObject({ data: { code: null, message: "Unsupported event pusher:signin" } });
    await subscribe(client, "private-room");
  });

  test("rejects a subscription to a user's channel with 400", async () => {
    const socket = await openRawSocket(realtime.url);
    socket.say("pusher:subscribe", { channel: "#server-to-user-anna" });
    const { event, data } = await socket.read();
    expect(event).toBe("pusher:subscription_error");
    expect(JSON.parse(String(data))).toMatchObject({ status: 400 });
    socket.close();
  });

  test("rejects events to a user and a list of users", async () => {
    expect(await statusOf(realtime.api.sendToUser("anna", "x", {}))).toBe(400);
    expect(await statusOf(realtime.api.get({ path: "/channels/presence-room/users" }))).toBe(404);
  });
});

test.each(["user_count", "cache", "subscription_count,user_count"])(
  "rejects info=%s with 400",
  async (info) => {
    expect(await statusOf(realtime.api.get({ path: "/channels", params: { info } }))).toBe(400);
    expect(await statusOf(realtime.api.get({ path: "/channels/private-room", params: { info } }))).toBe(400);
    expect(await statusOf(realtime.api.trigger("private-room", "x", {}, { info }))).toBe(400);
  },
);
