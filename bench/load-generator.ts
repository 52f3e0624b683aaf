import { once } from "node:events";
import { connect, type Socket } from "node:net";

// Sends the same request over persistent connections; each connection sends again as soon as it has its response. Runs
// as a separate process: it receives a `Load` from its parent, answers with a `LoadResult`, and exits with the parent.
// It uses bare sockets, because Node's HTTP client costs more than the servers that are measured.

/** Request to send repeatedly on each connection for `ms` milliseconds. */
export type Load = { port: number; request: string; connections: number; ms: number };

/** Rate and latencies over all connections, from the first request to the last response. */
export type LoadResult = { perSecond: number; p50Ms: number; p99Ms: number };

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

async function generate({ port, request, connections, ms }: Load): Promise<LoadResult> {
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

/** Sends one request after the other until `untilMs`. */
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
    const response = parts.length === 1 ? part : Buffer.concat(parts);
    try {
      if (!isComplete(response)) return;
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

/**
 * Returns true if the response has arrived completely.
 *
 * @throws {Error} if its status is not 200
 */
function isComplete(response: Buffer): boolean {
  const endOfHead = response.indexOf(END_OF_HEAD);
  if (endOfHead === -1) return false;
  const head = response.toString("latin1", 0, endOfHead);
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(`The server answered: ${response.toString()}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) return response.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return response.length >= endOfHead + END_OF_HEAD.length + Number(length);
}

process.on("message", async (load: Load) => {
  try {
    process.send!(await generate(load));
  } catch (error) {
    process.send!({ error: String(error) });
  }
});
process.on("disconnect", () => process.exit());
