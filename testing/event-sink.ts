import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EventPayload } from "#lib/contract/realtime";
import type { PusherSettings } from "#lib/platform/config/environment";

/** What a channel does with a call: a status (200: it takes the events), or one of the ways in which channels die. */
export type SinkAnswer =
  | number
  | "nothing"
  | "a head without its body"
  | "a page of somebody else"
  | "taken, then cut off";
export type SinkCall = { appId: string; method: string; bytes: number; payloads: EventPayload[] };

/** A channel server that keeps what it takes, and misbehaves as it is told. */
export async function startEventSink() {
  /** In the order in which they came; a duplicate as often as it came. */
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
    give(response, answer);
  });
  return {
    taken,
    calls,
    /** As which a relay knows it. */
    settings: (appId = "app"): PusherSettings => ({
      ...{
        appId,
        key: "key",
        secret: "secret-secret",
        host: "127.0.0.1",
        port,
        useTls: false,
        cluster: null,
      },
    }),
    answer(next: SinkAnswer | typeof decide): void {
      decide = typeof next === "function" ? next : () => next;
    },
    /** Begins, also again and then on the same port. */
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

function give(response: ServerResponse, answer: SinkAnswer): void {
  if (answer === "taken, then cut off") response.destroy();
  else if (answer === "a head without its body") response.writeHead(500, { "Content-Length": 10 }).write("{");
  else if (answer === "a page of somebody else") response.writeHead(200).end("<html>");
  else if (answer !== "nothing") response.writeHead(answer).end("{}");
}
