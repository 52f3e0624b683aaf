import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signed } from "#server/realtime/signatures";
import { openRawSocket } from "#testing/raw-socket";
import { credentials, next, type Realtime, startRealtime, subscribe } from "#testing/realtime";

// What the published suites of Reverb and soketi and the protocol's page demand beyond the tests beside this one:
// docs/decisions/0088 lists all of it.

let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime();
});
afterEach(() => realtime.close());

const get = async (path: string, params: Record<string, string> = {}) =>
  (await realtime.api.get({ path, params })).json();

describe("a connection", () => {
  test("is greeted with its socket's id and 120 s, as JSON within JSON", async () => {
    const { greeting, close } = await openRawSocket(realtime.url);
    expect(greeting).toEqual({ event: "pusher:connection_established", data: expect.any(String) });
    expect(JSON.parse(greeting.data as string)).toEqual({
      socket_id: expect.stringMatching(/^\d+\.\d+$/),
      activity_timeout: 120,
    });
    close();
  });

  test("that speaks a word too often or too early is told so, and stays", async () => {
    const socket = await openRawSocket(realtime.url);
    socket.say("pusher:subscribe", { channel: "updates" });
    expect(await socket.read()).toEqual({
      ...{ event: "pusher_internal:subscription_succeeded", channel: "updates", data: "{}" },
    });
    socket.say("pusher:subscribe", { channel: "updates" });
    const again = JSON.stringify({ code: null, message: "Existing subscription to channel updates" });
    expect(await socket.read()).toEqual({ event: "pusher:error", data: again });
    for (const channel of ["updates", "private-not-joined", "private-encrypted-x"]) {
      socket.say("client-x", {}, channel);
      expect((await socket.read()).event).toBe("pusher:error");
    }
    socket.say("pusher:unsubscribe", { channel: "never-joined" });
    socket.say("pusher:ping", {});
    expect((await socket.read()).event).toBe("pusher:pong");
    await realtime.api.trigger("updates", "x", {});
    expect((await socket.read()).event).toBe("x");
    socket.close();
  });

  test("hears nothing of a channel that it has left, and may come back", async () => {
    const client = realtime.connect();
    const heard = vi.fn();
    client.bind_global((event: string) => event.startsWith("pusher") || heard(event));
    await subscribe(client, "updates");
    client.unsubscribe("updates");
    await expect.poll(() => get("/channels/updates")).toEqual({ occupied: false });
    await realtime.api.trigger("updates", "missed", {});
    const back = await subscribe(client, "updates");
    const arrived = next(back, "heard");
    await realtime.api.trigger("updates", "heard", {});
    await arrived;
    expect(heard.mock.calls).toEqual([["heard"]]);
  });

  test("comes back by itself to a server that restarts, with its channels", async () => {
    const client = realtime.connect();
    const channel = await subscribe(client, "updates");
    const again = next(channel, "pusher:subscription_succeeded");
    await realtime.restart();
    await again;
    const arrived = next(channel, "x");
    await realtime.api.trigger("updates", "x", {});
    await arrived;
  });

  test("of an application that there is not gives up", async () => {
    const client = realtime.connect("anna", credentials.secret, "another-key");
    const error = next(client.connection, "error");
    await next(client.connection, "disconnected");
    expect(JSON.stringify(await error)).toContain('"code":4001');
  });
});

describe.each(["cache-news", "private-cache-news", "presence-cache-news"])("the cache channel %s", (name) => {
  test("tells who comes what it was told last, or that it does not know", async () => {
    const missed = next(realtime.connect().subscribe(name), "pusher:cache_miss");
    await missed;
    for (const n of [1, 2]) await realtime.api.trigger(name, "told", { n });
    expect(await next(realtime.connect("ben").subscribe(name), "told")).toEqual({ n: 2 });
    expect(await get(`/channels/${name}`, { info: "cache" })).toEqual({
      ...{ occupied: true, cache: { data: '{"n":2}', ttl: expect.any(Number) } },
    });
  });
});

test("an encrypted channel carries what only the libraries can read", async () => {
  const name = "private-encrypted-room";
  const channel = await subscribe(realtime.connect(), name);
  const arrived = next(channel, "secret");
  await realtime.api.trigger(name, "secret", { text: "ä" });
  expect(await arrived).toEqual({ text: "ä" });
});

describe("a user who has signed in", () => {
  const signedIn = async (user: string) => {
    const client = realtime.connect(user);
    client.signin();
    await next(client.connection, "connected");
    await client.user.signinDonePromise;
    return client;
  };

  test("hears on each connection what is sent to that user, and nobody else does", async () => {
    const [one, two, other] = await Promise.all([signedIn("anna"), signedIn("anna"), signedIn("ben")]);
    const overheard = vi.fn();
    other.user.bind("note", overheard);
    const heard = Promise.all([next(one.user, "note"), next(two.user, "note")]);
    await expect
      .poll(() => get("/channels/%23server-to-user-anna", { info: "subscription_count" }))
      .toMatchObject({ subscription_count: 2 });
    await realtime.api.sendToUser("anna", "note", { n: 1 });
    expect(await heard).toEqual([{ n: 1 }, { n: 1 }]);
    expect(overheard).not.toHaveBeenCalled();

    const stranger = await openRawSocket(realtime.url);
    stranger.say("pusher:subscribe", { channel: "#server-to-user-anna" });
    expect(await stranger.read()).toMatchObject({ event: "pusher:subscription_error" });
    stranger.close();
    expect(await get("/channels")).toEqual({ channels: {} });
  });

  test("is turned out of every connection with 4009 when the service says so", async () => {
    const [anna, ben] = await Promise.all([signedIn("anna"), signedIn("ben")]);
    const turnedOut = next<{ data: { code: number } }>(anna.connection, "error");
    await realtime.api.terminateUserConnections("anna");
    expect((await turnedOut).data.code).toBe(4009);
    expect(ben.connection.state).toBe("connected");
    await realtime.api.terminateUserConnections("nobody");
  });

  test("is not who only says so: the connection is closed with 4009", async () => {
    const forged = await openRawSocket(realtime.url);
    forged.say("pusher:signin", { auth: `${credentials.key}:00`, user_data: '{"id":"anna"}' });
    expect(await forged.closed).toBe(4009);
    const nobody = await openRawSocket(realtime.url);
    const auth = `${credentials.key}:${signed(credentials.secret, `${nobody.socketId}::user::{}`)}`;
    nobody.say("pusher:signin", { auth, user_data: "{}" });
    expect(await nobody.closed).toBe(4009);
  });
});

describe("a subscription", () => {
  /** What the server says to one that is signed for just that. */
  async function ask(channel: string, channelData?: unknown) {
    const socket = await openRawSocket(realtime.url);
    const channel_data = channelData === undefined ? undefined : JSON.stringify(channelData);
    const text = [socket.socketId, channel, ...(channel_data === undefined ? [] : [channel_data])].join(":");
    const auth = `${credentials.key}:${signed(credentials.secret, text)}`;
    socket.say("pusher:subscribe", { channel, auth, channel_data });
    const { event, data } = await socket.read();
    return { socket, event, data: JSON.parse(data as string) as { status?: number; presence?: unknown } };
  }

  test.each([
    ["private-room", undefined, undefined],
    ["presence-room", { user_id: 5, user_info: { a: "x".repeat(1_000) } }, undefined],
    ["presence-room", { user_id: "x".repeat(128) }, undefined],
    ["presence-room", { user_id: "x".repeat(129) }, 400],
    ["presence-room", { user_id: "" }, 400],
    ["presence-room", { user_id: "anna", user_info: "x".repeat(1_024) }, 400],
    ["presence-room", { user_info: {} }, 400],
    ["presence-room", undefined, 400],
    ["a room", undefined, 400],
    ["#updates", undefined, 400],
    ["x".repeat(200), undefined, undefined],
    ["x".repeat(201), undefined, 400],
  ])("to %.20s with %j is refused with %s", async (channel, member, status) => {
    const { event, data, socket } = await ask(channel, member);
    expect(data.status).toBe(status);
    expect(event).toBe(status ? "pusher:subscription_error" : "pusher_internal:subscription_succeeded");
    socket.close();
  });

  test("to a presence channel is told who is there, and the 101st member is refused", async () => {
    const members = await Promise.all(
      Array.from({ length: 100 }, (_, i) => ask("presence-full", { user_id: `user-${i}`, user_info: { i } })),
    );
    const again = await ask("presence-full", { user_id: "user-0" });
    expect(again.data.presence).toMatchObject({
      ...{ count: 100, ids: expect.arrayContaining(["user-0", "user-99"]) },
      hash: { "user-99": { i: 99 } },
    });
    const late = await ask("presence-full", { user_id: "late" });
    expect(late.data.status).toBe(403);
    for (const { socket } of [...members, again, late]) socket.close();
  });
});
