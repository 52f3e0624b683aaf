import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

async function startEcho() {
  const server = createServer((socket) => socket.on("error", () => {}).pipe(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() };
}

const dial = ({ host, port }: TcpProxy) => connect(port, host).on("error", () => {}); // The proxy resets it.

const say = async (socket: Socket, word: string) => {
  socket.write(word);
  return String((await once(socket, "data"))[0]);
};

test("holds data back while paused and forwards it after resume, for old and new connections", async () => {
  using echo = await startEcho();
  await using proxy = await startTcpProxy({ host: "127.0.0.1", port: echo.port });
  const old = dial(proxy);
  expect(await say(old, "one")).toBe("one");
  proxy.pause();
  const young = dial(proxy);
  await once(young, "connect");
  let early = true;
  const answers = [say(old, "two"), say(young, "three")].map(async (answer) => [await answer, early]);
  // Round trips through a proxy that forwards: the paused one has had the time to forward too.
  await using open = await startTcpProxy({ host: "127.0.0.1", port: echo.port });
  const other = dial(open);
  for (let trip = 0; trip < 20; trip++) await say(other, "four");
  early = false;
  proxy.resume();
  expect(await Promise.all(answers)).toEqual([
    ["two", false],
    ["three", false],
  ]);
  expect(proxy.connections).toBe(2);
});

test("cut resets open connections and accepts new ones", async () => {
  using echo = await startEcho();
  await using proxy = await startTcpProxy({ host: "127.0.0.1", port: echo.port });
  const old = dial(proxy);
  await say(old, "one");
  proxy.cut();
  const [error] = (await once(old, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
  expect(await say(dial(proxy), "two")).toBe("two");
});

test("cutAfter resets new connections before the given byte of an answer until resume", async () => {
  using echo = await startEcho();
  await using proxy = await startTcpProxy({ host: "127.0.0.1", port: echo.port });
  proxy.cutAfter(6);
  const short = dial(proxy);
  expect(await say(short, "one")).toBe("one");
  short.write("two");
  const [error] = (await once(short, "error")) as [NodeJS.ErrnoException];
  expect([error.code, short.bytesRead]).toEqual(["ECONNRESET", 3]);
  proxy.resume();
  const long = dial(proxy);
  await say(long, "one");
  expect(await say(long, "two")).toBe("two");
});

test("forwards each byte once after answers were held back", async () => {
  using echo = await startEcho();
  await using proxy = await startTcpProxy({ host: "127.0.0.1", port: echo.port });
  const socket = dial(proxy);
  await say(socket, "one");
  proxy.pauseAnswers();
  proxy.resume();
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes;
  });
  socket.write("two");
  await expect.poll(() => text).toContain("two");
  socket.write("three");
  await expect.poll(() => text).toContain("three");
  expect(text).toBe("twothree");
});
