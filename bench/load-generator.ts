import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * Sends the same request over kept connections, each as soon as its answer has come, as a process of its own: bare
 * sockets, since Node's own client costs more than the servers that are measured. Told by its parent what to send, it
 * answers what it saw, and ends with it.
 */
export type Load = { port: number; request: string; connections: number; ms: number };

/** Over all connections, in the time from the first request to the last answer. */
export type Seen = { perSecond: number; p50Ms: number; p99Ms: number };

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

async function generate({ port, request, connections, ms }: Load): Promise<Seen> {
  const bytes = Buffer.from(request);
  const sockets = Array.from({ length: connections }, () =>
    connect({ port, host: "127.0.0.1", noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const latencies: number[] = [];
  const started = performance.now();
  await Promise.all(sockets.map((socket) => repeat(socket, bytes, started + ms, latencies)));
  const seconds = (performance.now() - started) / 1_000;
  for (const socket of sockets) socket.destroy();
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { perSecond: sorted.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** One request after the other until the time is over. */
function repeat(socket: Socket, request: Buffer, untilMs: number, latencies: number[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let sentMs = 0;
  let parts: Buffer[] = [];
  const send = () => {
    sentMs = performance.now();
    socket.write(request);
  };
  socket.on("error", reject).on("close", () => reject(new Error("The server closed the connection.")));
  socket.on("data", (part) => {
    parts.push(part);
    const answer = parts.length === 1 ? part : Buffer.concat(parts);
    try {
      if (!isWhole(answer)) return;
    } catch (error) {
      reject(error);
      return;
    }
    parts = [];
    const nowMs = performance.now();
    latencies.push(nowMs - sentMs);
    if (nowMs < untilMs) send();
    else resolve();
  });
  send();
  return promise;
}

/** @throws {Error} for an answer that is no success */
function isWhole(answer: Buffer): boolean {
  const endOfHead = answer.indexOf(END_OF_HEAD);
  if (endOfHead === -1) return false;
  const head = answer.toString("latin1", 0, endOfHead);
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(`The server answered: ${answer.toString()}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) return answer.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return answer.length >= endOfHead + END_OF_HEAD.length + Number(length);
}

process.on("message", async (load: Load) => {
  try {
    process.send!(await generate(load));
  } catch (error) {
    process.send!({ error: String(error) });
  }
});
process.on("disconnect", () => process.exit());
