import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import Pusher from "pusher";
import { WebSocket } from "ws";
import type { Settings } from "./benchmark.ts";
import { type Measurement, measure } from "./measure.ts";

/** Number of clients that connect at once. It is limited because a server's queue of connections is short. */
const OPENED_AT_ONCE = 100;

/** Measures one event until the last subscriber of a channel has it, next to a bare server that only sends. */
export async function* realtime({ quick, rounds }: Settings): AsyncGenerator<Measurement> {
  const subscribers = quick ? 200 : 5_000;
  const ours = await openAudience("ours", subscribers);
  const bare = await openAudience("bare", subscribers);
  const message = JSON.stringify({
    event: "job-updated",
    channel,
    data: JSON.stringify(data),
  });
  const result = await measure({
    what: `one event to ${subscribers.toLocaleString("en")} subscribers of a channel`,
    ours: { name: "our realtime server", run: () => ours.deliver(() => publish(ours.port)) },
    others: [
      {
        name: "bare ws server",
        run: () =>
          bare.deliver(() => fetch(`http://127.0.0.1:${bare.port}`, { method: "POST", body: message })),
      },
    ],
    rounds,
  });
  const [ourMemory, bareMemory] = [await ours.memory(), await bare.memory()];
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  yield {
    ...result,
    note: `memory of the process: ours ${megabytes(ourMemory)}, bare ${megabytes(bareMemory)}`,
  };
  for (const { close } of [ours, bare]) close();
}

const channel = "private-updates";
const data = { id: "01a201c3-d0cc-762e-807d-7427d890e61b", status: "Running", progress: 0.5 };

const publisher = (port: number) =>
  new Pusher({
    appId: "bench",
    key: "bench",
    secret: "bench-secret",
    useTLS: false,
    host: "127.0.0.1",
    port: String(port),
  });

const publish = (port: number): Promise<unknown> => publisher(port).trigger(channel, "job-updated", data);

/** Starts a server and connects all subscribers to it. */
async function openAudience(kind: "ours" | "bare", subscribers: number) {
  const server = fork(path.join(import.meta.dirname, "realtime-server.ts"), [kind]);
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  let received = 0;
  let allReceived = () => {};
  const open = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/app/bench?protocol=7`);
    if (kind === "ours") await subscribe(socket, port);
    else await once(socket, "open");
    socket.on("message", () => ++received === subscribers && allReceived());
    return socket;
  };
  const sockets: WebSocket[] = [];
  while (sockets.length < subscribers) {
    const length = Math.min(OPENED_AT_ONCE, subscribers - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length }, open))));
  }
  return {
    port,
    /** Runs `send` and waits until every subscriber has received a message. */
    async deliver(send: () => Promise<unknown>): Promise<void> {
      received = 0;
      const delivered = new Promise<void>((resolve) => {
        allReceived = resolve;
      });
      await Promise.all([delivered, send()]);
    },
    memory: () => memoryOf(server),
    close() {
      server.kill();
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function subscribe(socket: WebSocket, port: number): Promise<void> {
  const [greeting] = await once(socket, "message");
  const { socket_id: socketId } = JSON.parse(JSON.parse(String(greeting)).data) as { socket_id: string };
  const { auth } = publisher(port).authorizeChannel(socketId, channel);
  socket.send(JSON.stringify({ event: "pusher:subscribe", data: { channel, auth } }));
  await new Promise<void>((resolve) => {
    socket.on("message", (raw: Buffer) => raw.includes("subscription_succeeded") && resolve());
  });
}

async function memoryOf(server: ChildProcess): Promise<number> {
  server.send("memory?");
  return (await once(server, "message"))[0] as number;
}
