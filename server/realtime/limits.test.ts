import { afterEach, beforeEach, expect, test } from "vitest";
import { openRawSocket } from "#testing/raw-socket";
import { type Realtime, startRealtime } from "#testing/realtime";

let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime({ maxConnections: 50 });
});
afterEach(() => realtime.close());

type RawSocket = Awaited<ReturnType<typeof openRawSocket>>;

const open = () => openRawSocket(realtime.url);
const subscribe = ({ socketId, say }: RawSocket, channel: string) =>
  say("pusher:subscribe", { channel, ...realtime.api.authorizeChannel(socketId, channel) });
const occupied = async () => (await realtime.api.get({ path: "/channels" })).json();

test("closes a client over the limit with 4100, and accepts one after another has left", async () => {
  const sockets = await Promise.all(Array.from({ length: 50 }, open));
  expect(await (await open()).closed).toBe(4100);
  const [first] = sockets;
  first!.close();
  await first!.closed;
  const socket = await open();
  expect(socket.greeting.event).toBe("pusher:connection_established");
  for (const other of [...sockets, socket]) other.close();
});

test("closes a client without an authorised subscription after its time, and no other", async () => {
  await realtime.close();
  realtime = await startRealtime({ subscribeSeconds: 0.5 });
  const [idle, rejected, subscribed] = [await open(), await open(), await open()];
  subscribe(subscribed, "private-updates");
  expect((await subscribed.read()).event).toBe("pusher_internal:subscription_succeeded");
  rejected.say("pusher:subscribe", { channel: "private-updates", auth: "key:forged" });
  idle.say("pusher:ping");
  expect(await Promise.all([idle.closed, rejected.closed])).toEqual([4101, 4101]);
  subscribed.say("pusher:ping");
  expect((await subscribed.read()).event).toBe("pusher:pong");
  subscribed.say("pusher:unsubscribe", { channel: "private-updates" });
  expect(await subscribed.closed).toBe(4101);
});

test("closes a client over the limit of its address with 4100, and accepts others", async () => {
  await realtime.close();
  realtime = await startRealtime({ connectionsPerAddress: 2, trustedProxies: 1 });
  const from = (address: string) => openRawSocket(realtime.url, { "X-Forwarded-For": address });
  const [first, second] = [await from("192.0.2.1"), await from("192.0.2.1")];
  expect(await (await from("192.0.2.1")).closed).toBe(4100);
  const other = await from("192.0.2.2");
  expect(other.greeting.event).toBe("pusher:connection_established");
  first.close();
  await first.closed;
  const again = await from("192.0.2.1");
  expect(again.greeting.event).toBe("pusher:connection_established");
  for (const socket of [second, other, again]) socket.close();
});

test("closes a client that floods the server with 4100, and still serves another", async () => {
  const [flooding, calm] = [await open(), await open()];
  for (let i = 0; i < 250; i++) flooding.say("pusher:ping");
  expect(await flooding.closed).toBe(4100);
  calm.say("pusher:ping");
  expect((await calm.read()).event).toBe("pusher:pong");
  calm.close();
});

test("keeps no channels, sockets or timers of 1,000 clients that have disconnected", async () => {
  const resources = () => process.getActiveResourcesInfo().filter((name) => /TCPSocket|Timeout/.test(name));
  expect(await occupied()).toEqual({ channels: {} });
  const before = resources().length;
  for (let round = 0; round < 20; round++) {
    const sockets = await Promise.all(Array.from({ length: 50 }, open));
    for (const [i, socket] of sockets.entries()) {
      subscribe(socket, `private-round-${round}`);
      subscribe(socket, `private-own-${round}-${i}`);
    }
    await Promise.all(
      sockets.map(async (socket) => {
        await socket.read();
        socket.close();
        await socket.closed;
      }),
    );
  }
  await expect.poll(occupied).toEqual({ channels: {} });
  await expect.poll(() => resources().length).toBeLessThanOrEqual(before + 5);
});

test("delivers an event once to each of 500 subscribers of a channel", async () => {
  await realtime.close();
  realtime = await startRealtime();
  const sockets = await Promise.all(Array.from({ length: 500 }, open));
  await Promise.all(
    sockets.map((socket) => {
      subscribe(socket, "private-updates");
      return socket.read();
    }),
  );
  const names = ["first", "second", "last"];
  for (const name of names) await realtime.api.trigger("private-updates", name, {});
  for (const { read, close } of sockets) {
    expect([(await read()).event, (await read()).event, (await read()).event]).toEqual(names);
    close();
  }
});
