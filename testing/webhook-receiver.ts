import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EventPayload } from "#lib/contract/realtime";

export type Received = {
  path: string;
  headers: Record<string, string>;
  text: string;
  body: { type: string; timestamp: string; data: EventPayload };
};
/** Status to answer with, or an own answer, which may never come. */
type Decide = (one: Received, response: ServerResponse) => number | undefined;

/** Starts a server that records webhook deliveries on every path, and answers as the test decides. */
export async function startReceiver() {
  const received: Received[] = [];
  let decide: Decide = () => 204;
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const headers = request.headers as Record<string, string>;
    const one = { path: request.url ?? "", headers, text: sent, body: JSON.parse(sent) };
    received.push(one);
    const status = decide(one, response);
    if (status !== undefined) response.writeHead(status).end(status === 204 ? "" : `status ${status}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    received,
    port,
    url: (path = "/hooks") => `http://127.0.0.1:${port}${path}`,
    /** Sets the answer to all later deliveries. */
    answer(next: Decide): void {
      decide = next;
    },
    async close(): Promise<void> {
      const closed = once(server, "close");
      server.close().closeAllConnections();
      await closed;
    },
  };
}
