import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EventPayload } from "#lib/contract/realtime";
import type { PusherSettings } from "#lib/platform/config/environment";

/** Response of the sink to a call: a status (200 accepts the events), or a failure of a channel. */
export type SinkAnswer =
  | number
  | "nothing"
  | "a head without its body"
  | "a page of another service"
  | "taken, then cut off";
type SinkCall = { appId: string; method: string; bytes: number; payloads: EventPayload[] };

/** Starts a channel server that records the events that it accepts, and fails on demand. */
export async function startEventSink() {
  /** Accepted events in order of arrival, including duplicates. */
  const taken: EventPayload[] = [];
  const calls: SinkCall[] = [];
  let decide: (call: SinkCall) => SinkAnswer = () => 200;
  let port = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { batch = [] } = (body === "" ? {} : JSON.parse(body)) as { batch?: { data: string }[] };
    const payloads = batch.map(({ data }) => JSON.parse(data) as EventPayload);
    const [, appId = ""] = /^\/apps\/([^/]+)/.exec(request.url ?? "") ?? [];
    const call = { appId, method: request.method ?? "", bytes: body.length, payloads };
    calls.push(call);
    const answer = decide(call);
    if (answer === 200 || answer === "taken, then cut off") taken.push(...payloads);
    respond(response, answer);
  });
  return {
    taken,
    calls,
    /** Returns the settings with which a relay connects to this server. */
    settings: (appId = "app"): PusherSettings => ({
      appId,
      key: "key",
      secret: "secret-secret",
      host: "127.0.0.1",
      port,
      useTls: false,
      cluster: null,
    }),
    /** Sets the response to all later calls. */
    answer(next: SinkAnswer | typeof decide): void {
      decide = typeof next === "function" ? next : () => next;
    },
    /** Starts to listen. After `close`, listens on the same port again. */
    async listen(): Promise<void> {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
    },
    async close(): Promise<void> {
      const closed = once(server, "close");
      server.close().closeAllConnections();
      await closed;
    },
  };
}

function respond(response: ServerResponse, answer: SinkAnswer): void {
  if (answer === "taken, then cut off") response.destroy();
  else if (answer === "a head without its body") response.writeHead(500, { "Content-Length": 10 }).write("{");
  else if (answer === "a page of another service") response.writeHead(200).end("<html>");
  else if (answer !== "nothing") response.writeHead(answer).end("{}");
}
