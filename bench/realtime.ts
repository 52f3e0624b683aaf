import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import Pusher from "pusher";
import { WebSocket } from "ws";
import type { Settings } from "./benchmark.ts";
import { type Measurement, measure } from "./measure.ts";
import { overSizes } from "./over-sizes.ts";

/** Clients are opened so many at once: a server's queue of connections is short. */
const OPENED_AT_ONCE = 100;

/** One event to every subscriber of a channel, until the last one has it, beside a bare server that only sends. */
export async function* realtime({ quick, rounds }: Settings): AsyncGenerator<Measurement> {
  const subscribers = quick ? 200 : 5_000;
  const ours = await audience("ours", subscribers);
  const bare = await audience("bare", subscribers);
  const message = JSON.stringify({
    event: "job-updated",
    channel: "updates",
    data: JSON.stringify(data),
  });
  const result = await measure({
    what: `one event to ${subscribers.toLocaleString("en")} subscribers of a channel`,
    ours: { name: "our realtime server", run: () => ours.hears(() => tell(ours.port)) },
    others: [
      {
        name: "bare ws server",
        run: () =>
          bare.hears(() => fetch(`http://127.0.0.1:${bare.port}`, { method: "POST", body: message })),
      },
    ],
    rounds,
  });
  const [here, there] = [await ours.memory(), await bare.memory()];
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  yield { ...result, note: `memory of the process: ours ${megabytes(here)}, bare ${megabytes(there)}` };
  for (const { close } of [ours, bare]) close();
}

/** The same to ever more subscribers, and the memory of the server that they are connected to. */
export async function* growthOfSubscribers({ quick, rounds }: Settings): AsyncGenerator<Measurement> {
  yield* overSizes(quick ? [10, 100] : [10, 100, 1_000, 5_000], async (subscribers) => {
    const ours = await audience("ours", subscribers);
    const measurement = await measure({
      what: `one event to ${subscribers.toLocaleString("en")} subscribers`,
      ours: { name: "ours", run: () => ours.hears(() => tell(ours.port)) },
      others: [],
      rounds,
      repeat: 5,
    });
    const bytes = await ours.memory();
    ours.close();
    return { measurement, megabytes: bytes / 1e6 };
  });
}

const data = { id: "01a201c3-d0cc-762e-807d-7427d890e61b", status: "Running", progress: 0.5 };

function tell(port: number): Promise<unknown> {
  const pusher = new Pusher({
    ...{ appId: "bench", key: "bench", secret: "bench-secret", useTLS: false },
    ...{ host: "127.0.0.1", port: String(port) },
  });
  return pusher.trigger("updates", "job-updated", data);
}

async function audience(kind: "ours" | "bare", subscribers: number) {
  const server = fork(path.join(import.meta.dirname, "realtime-server.ts"), [kind]);
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  let heard = 0;
  let all = () => {};
  const open = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/app/bench?protocol=7`);
    await once(socket, "open");
    if (kind === "ours") {
      socket.send('{"event":"pusher:subscribe","data":{"channel":"updates"}}');
      await new Promise<void>((resolve) => {
        socket.on("message", (raw: Buffer) => raw.includes("subscription_succeeded") && resolve());
      });
    }
    socket.on("message", () => ++heard === subscribers && all());
    return socket;
  };
  const sockets: WebSocket[] = [];
  while (sockets.length < subscribers) {
    const length = Math.min(OPENED_AT_ONCE, subscribers - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length }, open))));
  }
  return {
    port,
    async hears(tell: () => Promise<unknown>): Promise<void> {
      heard = 0;
      const everybody = new Promise<void>((resolve) => {
        all = resolve;
      });
      await Promise.all([everybody, tell()]);
    },
    memory: () => memoryOf(server),
    close() {
      server.kill();
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function memoryOf(server: ChildProcess): Promise<number> {
  server.send("memory?");
  return (await once(server, "message"))[0] as number;
}
