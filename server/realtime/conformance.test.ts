import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openRawSocket } from "#testing/raw-socket";
import { credentials, next, type Realtime, startRealtime, subscribe } from "#testing/realtime";
import { signed } from "./signatures.ts";

// Requirements of the test suites of Reverb and soketi and of the protocol's documentation that the other tests in this
// folder do not cover. docs/decisions/0178 lists all of them.

const updates = "private-updates";
let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime();
});
afterEach(() => realtime.close());

describe("a connection", () => {
  test("receives its socket id and a time-out of 120 s, as JSON within JSON", async () => {
    const { greeting, close } = await openRawSocket(realtime.url);
    expect(greeting).toEqual({ event: "pusher:connection_established", data: expect.any(String) });
    expect(JSON.parse(greeting.data as string)).toEqual({
      socket_id: expect.stringMatching(/^\d+\.\d+$/),
      activity_timeout: 120,
    });
    close();
  });

  test("receives an error for a second subscription to a channel, and stays open", async () => {
    const socket = await openRawSocket(realtime.url);
    const request = { channel: updates, ...realtime.api.authorizeChannel(socket.socketId, updates) };
    socket.say("pusher:subscribe", request);
    expect(await socket.read()).toEqual({
      event: "pusher_internal:subscription_succeeded",
      channel: updates,
      data: "{}",
    });
    socket.say("pusher:subscribe", request);
    const again = JSON.stringify({ code: null, message: `Existing subscription to channel ${updates}` });
    expect(await socket.read()).toEqual({ event: "pusher:error", data: again });
    socket.say("pusher:unsubscribe", { channel: "private-never-joined" });
    socket.say("pusher:ping", {});
    expect((await socket.read()).event).toBe("pusher:pong");
    await realtime.api.trigger(updates, "x", {});
    expect((await socket.read()).event).toBe("x");
    socket.close();
  });

  test("receives no events of a channel that it has left, and can subscribe again", async () => {
    const client = realtime.connect();
    const received = vi.fn();
    client.bind_global((event: string) => event.startsWith("pusher") || received(event));
    await subscribe(client, updates);
    client.unsubscribe(updates);
    await expect
      .poll(async () => (await realtime.api.get({ path: `/channels/${updates}` })).json())
      .toEqual({ occupied: false });
    await realtime.api.trigger(updates, "missed", {});
    const back = await subscribe(client, updates);
    const arrived = next(back, "sent");
    await realtime.api.trigger(updates, "sent", {});
    await arrived;
    expect(received.mock.calls).toEqual([["sent"]]);
  });

  test("reconnects to a restarted server and subscribes to its channels again", async () => {
    const client = realtime.connect();
    const channel = await subscribe(client, updates);
    const again = next(channel, "pusher:subscription_succeeded");
    await realtime.restart();
    await again;
    const arrived = next(channel, "x");
    await realtime.api.trigger(updates, "x", {});
    await arrived;
  });

  test("gives up for an unknown application", async () => {
    const client = realtime.connect({ key: "another-key" });
    const error = next(client.connection, "error");
    await next(client.connection, "disconnected");
    expect(JSON.stringify(await error)).toContain('"code":4001');
  });
});

test("delivers an event of an encrypted channel that the client library decrypts", async () => {
  const name = "private-encrypted-room";
  const channel = await subscribe(realtime.connect(), name);
  const arrived = next(channel, "secret");
  await realtime.api.trigger(name, "secret", { text: "ä" });
  expect(await arrived).toEqual({ text: "ä" });
});

describe("a signed subscription", () => {
  test.each([
    ["a short name", "private-room", null],
    ["a name of 200 characters", "private-".padEnd(200, "x"), null],
    ["a name of 201 characters", "private-".padEnd(201, "x"), 400],
    ["a name with a space", "private-a room", 400],
    ["a name with #", "#private-room", 400],
  ])("to %s receives the error status %s", async (_, channel, status) => {
    const socket = await openRawSocket(realtime.url);
    const auth = `${credentials.key}:${signed(credentials.secret, `${socket.socketId}:${channel}`)}`;
    socket.say("pusher:subscribe", { channel, auth });
    const { event, data } = await socket.read();
    const succeeded = "pusher_internal:subscription_succeeded";
    expect(event).toBe(status === null ? succeeded : "pusher:subscription_error");
    expect(JSON.parse(String(data)).status ?? null).toBe(status);
    socket.close();
  });
});
