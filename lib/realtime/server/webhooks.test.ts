import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Realtime, startRealtime, subscribe } from "#testing/realtime";

type Delivery = { headers: IncomingHttpHeaders; rawBody: string };

let realtime: Realtime;
let deliveries: Delivery[];
let statuses: number[];
let lost: string[];
const receiver = createServer(async (request, response) => {
  deliveries.push({ headers: request.headers, rawBody: await text(request) });
  response.writeHead(statuses.shift() ?? 200).end();
});

beforeEach(async () => {
  [deliveries, statuses, lost] = [[], [], []];
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  const onLost = (count: number, reason: string) => lost.push(`${count}: ${reason}`);
  realtime = await startRealtime({ webhooks: { url, onLost, retryMs: [1, 1] } });
});
afterEach(async () => {
  await realtime.close();
  receiver.close().closeAllConnections();
});

/** The events that have come, as the server library reads them: it refuses a wrong signature. */
function events(): { name: string; channel: string }[] {
  return deliveries.flatMap(({ headers, rawBody }) => {
    const webhook = realtime.api.webhook({ headers, rawBody } as never);
    expect(webhook.isValid()).toBe(true);
    return webhook.getEvents() as { name: string; channel: string }[];
  });
}

test("a receiver hears in order who came, said something and went, signed as the server library demands", async () => {
  const [anna, ben] = [realtime.connect("anna"), realtime.connect("ben")];
  const channel = await subscribe(anna, "presence-room");
  await subscribe(ben, "presence-room");
  channel.trigger("client-typing", { on: true });
  await expect.poll(() => events().length).toBe(4);
  ben.unsubscribe("presence-room");
  await expect.poll(() => events().length).toBe(5);
  anna.unsubscribe("presence-room");
  await expect.poll(() => events().length).toBe(7);
  const room = { channel: "presence-room" };
  expect(events()).toEqual([
    { name: "channel_occupied", ...room },
    { name: "member_added", ...room, user_id: "anna" },
    { name: "member_added", ...room, user_id: "ben" },
    {
      ...{ name: "client_event", ...room, event: "client-typing", data: '{"on":true}', user_id: "anna" },
      socket_id: anna.connection.socket_id,
    },
    { name: "member_removed", ...room, user_id: "ben" },
    { name: "member_removed", ...room, user_id: "anna" },
    { name: "channel_vacated", ...room },
  ]);
});

test("what a receiver does not take is sent again, the same, before what follows", async () => {
  statuses = [500, 503];
  await subscribe(realtime.connect(), "first");
  await subscribe(realtime.connect(), "second");
  await expect.poll(() => events().at(-1)?.channel).toBe("second");
  expect(new Set(deliveries.slice(0, 3).map(({ rawBody }) => rawBody)).size).toBe(1);
  expect(lost).toEqual([]);
});

test("what is never taken is given up and told of, and what follows is delivered", async () => {
  statuses = [500, 500, 500];
  await subscribe(realtime.connect(), "first");
  await expect.poll(() => lost).toEqual(["1: the receiver answers 500"]);
  await subscribe(realtime.connect(), "second");
  await expect.poll(() => events().at(-1)?.channel).toBe("second");
});

test("a server that ends does not wait for a receiver that is away", async () => {
  await realtime.close();
  const onLost = (_: number, reason: string) => lost.push(reason);
  const webhooks = { url: "http://127.0.0.1:1/", onLost, retryMs: [600_000] };
  realtime = await startRealtime({ webhooks });
  await subscribe(realtime.connect(), "first");
  await realtime.close();
  expect(lost).toEqual(["the server ends"]);
  realtime = await startRealtime();
});
