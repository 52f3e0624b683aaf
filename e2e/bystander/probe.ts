// Runs in its own process, so that the large bodies of the hostile callers do not delay its clock. Repeats each call on a
// separate connection, and sends the parent what it has seen since the last message.
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** Call that the probe repeats. */
export type ProbeCall = { name: string; url: string; headers: Record<string, string>; body: string | null };
/** One call: when it began, how long it took, and its status; null if no response arrived. */
export type Seen = { name: string; atMs: number; tookMs: number; status: number | null; text: string };

/** Pause in milliseconds between two calls of a kind, so that the probe itself needs little of the processor. */
const pauseMs = Number(process.argv[2]);

let seen: Seen[] = [];

async function repeat(call: ProbeCall): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const atMs = Date.now();
    const startedMs = performance.now();
    const { status, text } = await send(call, agent);
    seen.push({ name: call.name, atMs, tookMs: performance.now() - startedMs, status, text });
    await delay(pauseMs);
  }
}

function send({ url, headers, body }: ProbeCall, agent: Agent) {
  return new Promise<{ status: number | null; text: string }>((resolve) => {
    const method = body === null ? "GET" : "POST";
    const sending = request(url, { method, agent, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString().slice(0, 300) });
    });
    sending.on("error", (error) => resolve({ status: null, text: String(error) })).end(body ?? undefined);
  });
}

process.on("message", (message: ProbeCall[] | "take") => {
  if (message !== "take") return void message.map(repeat);
  process.send!(seen);
  seen = [];
});
process.on("disconnect", () => process.exit());
