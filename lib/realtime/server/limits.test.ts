import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Realtime, startRealtime } from "#testing/realtime";

let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime({ maxConnections: 50 });
});
afterEach(() => realtime.close());

/** A socket that the server has greeted or refused. */
async function open(): Promise<WebSocket> {
  const socket = new WebSocket(realtime.url);
  await once(socket, "message");
  return socket;
}
const subscribeTo = (channel: string) => JSON.stringify({ event: "pusher:subscribe", data: { channel } });
const occupied = async () => (await realtime.api.get({ path: "/channels" })).json();

test("one client too many is told to come back later, and is let in once another has gone", async () => {
  const sockets = await Promise.all(Array.from({ length: 50 }, open));
  const refused = new WebSocket(realtime.url);
  expect((await once(refused, "close"))[0]).toBe(4100);
  const [first] = sockets;
  first!.close();
  await once(first!, "close");
  const socket = new WebSocket(realtime.url);
  expect(JSON.parse(String((await once(socket, "message"))[0])).event).toBe("pusher:connection_established");
  for (const other of [...sockets, socket]) other.terminate();
});

test("a client that floods the server is closed with 4100, and another is served", async () => {
  const [flooding, calm] = [await open(), await open()];
  const closed = once(flooding, "close");
  for (let i = 0; i < 250; i++) flooding.send('{"event":"pusher:ping"}');
  expect((await closed)[0]).toBe(4100);
  calm.send('{"event":"pusher:ping"}');
  expect(JSON.parse(String((await once(calm, "message"))[0])).event).toBe("pusher:pong");
  calm.close();
});

test("1,000 clients that come, subscribe and go without a word leave nothing behind", async () => {
  const resources = () => process.getActiveResourcesInfo().filter((name) => /TCPSocket|Timeout/.test(name));
  expect(await occupied()).toEqual({ channels: {} });
  const before = resources().length;
  for (let round = 0; round < 20; round++) {
    const sockets = await Promise.all(Array.from({ length: 50 }, open));
    for (const [i, socket] of sockets.entries()) {
      socket.send(subscribeTo(`round-${round}`));
      socket.send(subscribeTo(`own-${round}-${i}`));
    }
    await Promise.all(
      sockets.map(async (socket) => {
        await once(socket, "message");
        socket.terminate();
        await once(socket, "close");
      }),
    );
  }
  await expect.poll(occupied).toEqual({ channels: {} });
  await expect.poll(() => resources().length).toBeLessThanOrEqual(before + 5);
});

test("a message to 500 subscribers of one channel reaches each of them once", async () => {
  await realtime.close();
  realtime = await startRealtime();
  const sockets = await Promise.all(Array.from({ length: 500 }, open));
  await Promise.all(
    sockets.map((socket) => {
      socket.send(subscribeTo("updates"));
      return once(socket, "message");
    }),
  );
  const counts = new Map<WebSocket, number>();
  const last = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.on("message", (raw) => {
          counts.set(socket, (counts.get(socket) ?? 0) + 1);
          if (JSON.parse(String(raw)).event === "last") resolve();
        });
      }),
  );
  for (const name of ["first", "second", "last"]) await realtime.api.trigger("updates", name, {});
  await Promise.all(last);
  expect([...counts.values()]).toEqual(sockets.map(() => 3));
  for (const socket of sockets) socket.terminate();
});
