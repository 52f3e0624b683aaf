import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

async function startEcho() {
  const server = createServer((socket) => socket.on("error", () => {}).pipe(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() };
}

const dial = ({ host, port }: TcpProxy) => connect(port, host).on("error", () => {}); // Its end by the proxy's.

const say = async (socket: Socket, word: string) => {
  socket.write(word);
  return String((await once(socket, "data"))[0]);
};

test("what a halted way holds back comes through when it flows again, of old and of new connections", async () => {
  using echo = await startEcho();
  await using proxy = await startTcpProxy({ host: "127.0.0.1", port: echo.port });
  const old = dial(proxy);
  expect(await say(old, "one")).toBe("one");
  proxy.pause();
  const young = dial(proxy);
  await once(young, "connect");
  let early = true;
  const answers = [say(old, "two"), say(young, "three")].map(async (answer) => [await answer, early]);
  // Longer than any way there and back on this machine.
  await new Promise((resolve) => setTimeout(resolve, 100));
  early = false;
  proxy.resume();
  expect(await Promise.all(answers)).toEqual([
    ["two", false],
    ["three", false],
  ]);
  expect(proxy.connections).toBe(2);
});

test("a cut resets what is open and takes what is new", async () => {
  using echo = await startEcho();
  await using proxy = await startTcpProxy({ host: "127.0.0.1", port: echo.port });
  const old = dial(proxy);
  await say(old, "one");
  proxy.cut();
  const [error] = (await once(old, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNRESET");
  expect(await say(dial(proxy), "two")).toBe("two");
});
