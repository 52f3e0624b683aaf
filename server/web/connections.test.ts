import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextTick } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { metrics } from "#lib/platform/metrics/metrics";
import { continueWhenRead } from "./continue-when-read.ts";
import { drainServer } from "./drain-server.ts";
import { hostError, noProxy, rejectMalformed } from "./reject-malformed.ts";
import { type BodyTimeouts, isLingering, unreadBodyResponse } from "./unread-body.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const never = { rateBytes: 1, rateMs: 60_000 };
const patient: BodyTimeouts = { lingerMs: 60_000, lingerIdleMs: 60_000, bodyIdleMs: 60_000, ...never };

/** Starts a server as the web process has it, with `answer` in place of Next.js. Returns a function that connects. */
async function serve(answer: RequestListener, timeouts = patient): Promise<() => Socket> {
  const listener: RequestListener = (request, response) => {
    if (isLingering(request.socket)) return;
    const wrongHost = hostError(request);
    if (wrongHost) return rejectMalformed(wrongHost, request.socket, undefined);
    answer(request, response);
  };
  server = createServer({ requireHostHeader: false, ServerResponse: unreadBodyResponse(timeouts) }, listener)
    .on("checkContinue", (request: IncomingMessage, response) => {
      continueWhenRead(request, response);
      listener(request, response);
    })
    .on("clientError", (error, socket) => rejectMalformed(error, socket as Socket, undefined))
    .on("connect", ({ socket }) => rejectMalformed(noProxy, socket, undefined));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // Half open: the client may go on sending after the server's end.
  return () => connect({ port, host: "127.0.0.1", allowHalfOpen: true });
}

const reject: RequestListener = (_, response) => {
  response.writeHead(413, { "Content-Length": 3 });
  response.end("no\n");
};

const post = (headers: string) => `POST / HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n`;

test("sends the error response and ends the connection if the client writes 64 MB before it reads", async () => {
  const client = (await serve(reject))();
  client.write(post("Content-Length: 67108864"));
  for (let sent = 0; sent < 64; sent++) {
    if (!client.write(Buffer.alloc(1 << 20))) await once(client, "drain");
  }
  const answer = await text(client);
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
  expect(answer).toMatch(/no\n$/);
});

test("does so if the buffer of the request is full before the response", async () => {
  const client = (
    await serve(async (request, response) => {
      while (request.readableLength < request.readableHighWaterMark) await nextTick();
      reject(request, response);
    })
  )();
  client.write(post("Content-Length: 67108864"));
  for (let sent = 0; sent < 64; sent++) {
    if (!client.write(Buffer.alloc(1 << 20))) await once(client, "drain");
  }
  expect(await text(client)).toMatch(/^HTTP\/1\.1 413 /);
});

test("does so if the handler abandons the body after its first chunk, as Next.js does", async () => {
  const client = (
    await serve(async (request, response) => {
      for await (const _ of request) break;
      reject(request, response);
    })
  )();
  client.write(post("Content-Length: 67108864"));
  for (let sent = 0; sent < 64; sent++) {
    if (!client.write(Buffer.alloc(1 << 20))) await once(client, "drain");
  }
  expect(await text(client)).toMatch(/^HTTP\/1\.1 413 .*no\n$/s);
});

test("ignores requests after a rejected body", async () => {
  const seen: string[] = [];
  const connection = await serve((request, response) => {
    seen.push(request.url!);
    reject(request, response);
  });
  const client = connection();
  client.write(post("Content-Length: 10"));
  await once(client, "readable");
  client.end(`0123456789${"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3)}`);
  const answer = await text(client);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(seen).toEqual(["/"]);
});

test("keeps the connection after a complete body, and answers pipelined requests in order", async () => {
  const connection = await serve((request, response) => {
    request.resume().once("end", () => response.end(`${request.url}\n`));
  });
  const client = connection();
  client.write(`${post("Content-Length: 2")}{}GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const answer = await text(client);
  expect(answer.match(/^\/\w*$/gm)).toEqual(["/", "/next"]);
  client.end();
});

/** Waits until the server has closed its side of the next connection, which a half-open client does not see. */
async function left(): Promise<void> {
  const [socket] = (await once(server!, "connection")) as [Socket];
  await once(socket, "close");
}

test("closes the connection of a rejected client that sends without end", async () => {
  const connection = await serve(reject, { ...patient, lingerMs: 50 });
  const end = left();
  const client = connection().on("error", () => {});
  client.write(post("Transfer-Encoding: chunked"));
  const sending = setInterval(() => client.write(`10000\r\n${"x".repeat(0x10000)}\r\n`), 1);
  await end;
  clearInterval(sending);
  client.destroy();
});

test("closes the connection of a rejected client that neither sends nor leaves", async () => {
  const connection = await serve(reject, { ...patient, lingerIdleMs: 50 });
  const end = left();
  const client = connection();
  client.write(post("Content-Length: 10"));
  await end;
  client.destroy();
});

test("ends a connection whose body stops, and leaves one open whose response takes longer", async () => {
  const responses: ServerResponse[] = [];
  const connection = await serve(
    (request, response) => {
      request.resume().once("end", () => responses.push(response));
    },
    { ...patient, bodyIdleMs: 50 },
  );
  const whole = connection();
  whole.write(`${post("Content-Length: 2\r\nConnection: close")}{}`);
  await vi.waitUntil(() => responses.length === 1);
  const end = left();
  const slow = connection().on("error", () => {});
  slow.write(`${post("Content-Length: 10")}01234`);
  await end; // The limit has passed for both connections.
  slow.destroy();
  responses[0]!.end("done");
  expect(await text(whole)).toContain("done");
});

test("ends a connection whose body arrives too slowly, but not one whose body waits for its reader", async () => {
  const unread = Promise.withResolvers<void>();
  const connection = await serve(
    async (request, response) => {
      if (request.url === "/later") await unread.promise;
      request.on("error", () => {}).resume();
      request.once("end", () => response.end("read"));
    },
    { ...patient, rateBytes: 1_000, rateMs: 100 },
  );
  const [slow, fast, waiting] = [connection(), connection(), connection()];
  for (const client of [slow, fast, waiting]) client.on("error", () => {});
  const drip = (client: Socket, bytes: number) => {
    client.write(post("Content-Length: 200000"));
    let left = 200_000;
    const timer = setInterval(() => {
      client.write(Buffer.alloc(Math.min(bytes, left)));
      left -= bytes;
      if (left <= 0) clearInterval(timer);
    }, 10);
    client.once("close", () => clearInterval(timer));
  };
  const body = "POST /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 200000\r\n\r\n";
  waiting.write(body);
  waiting.write(Buffer.alloc(200_000));
  drip(slow, 1);
  drip(fast, 2_000);
  const closed = new Promise((resolve) => slow.resume().once("close", resolve));
  const [answer] = await Promise.all([once(fast, "data"), closed]);
  fast.destroy();
  expect(String(answer[0])).toContain("200 OK");
  unread.resolve();
  expect(await text(waiting)).toMatch(/read$/);
});

test("sends 100 Continue when the body is read, not when the request is rejected", async () => {
  const connection = await serve((request, response) => {
    if (request.headers["content-length"] === "5") reject(request, response);
    else request.resume().once("end", () => response.end("done"));
  });
  const rejected = connection();
  rejected.write(post("Content-Length: 5\r\nExpect: 100-continue"));
  const [first] = (await once(rejected, "data")) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /);
  const taken = connection();
  taken.write(post("Content-Length: 2\r\nConnection: close\r\nExpect: 100-continue"));
  const [word] = (await once(taken, "data")) as [Buffer];
  expect(word.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  taken.write("{}");
  expect(await text(taken)).toMatch(/^HTTP\/1\.1 200 .*done$/s);
});

test.each([
  ["no HTTP at all", "hello\r\n\r\n", /not a valid HTTP request/],
  ["two lengths", post("Content-Length: 2\r\nContent-Length: 3"), /not a valid HTTP request/],
  [
    "a length and chunks",
    post("Content-Length: 2\r\nTransfer-Encoding: chunked"),
    /not a valid HTTP request/,
  ],
  ["headers over the limit", `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}`, /16 KiB/],
  ["a request without a host", "GET / HTTP/1.1\r\n\r\n", /header Host is missing/],
  ["a request with two hosts", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", /several Host headers/],
  ["a request to a proxy", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", /does not support the method CONNECT/],
  ["an invalid chunk", `${post("Transfer-Encoding: chunked")}zz\r\n`, /not a valid HTTP request/],
])("rejects %s with the error envelope", async (_, bytes, message) => {
  const client = (await serve((request) => request.on("error", () => {}).resume()))();
  client.write(bytes);
  const [head, body] = (await text(client)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close/s);
  for (const name of ["RateLimit", "RateLimit-Policy", "X-Request-Id"])
    expect(head).toContain(`\r\n${name}: `);
  const { success, error } = JSON.parse(body!);
  expect([success, error.code]).toEqual([false, "validation_failed"]);
  expect(error.message).toMatch(message);
});

test("answers a truncated body if the client still reads", async () => {
  const client = (await serve((request) => request.on("error", () => {}).resume()))();
  client.end(`${post("Content-Length: 10")}01234`);
  expect(await text(client)).toContain("ended before the end of the request");
});

test("sends started responses in full while draining, also to slow readers, and closes idle connections", async () => {
  const bytes = 64 << 20;
  const slow = Promise.withResolvers<void>();
  const connection = await serve(async (request, response) => {
    drain.track(request, response);
    if (request.url === "/large") return void response.end(Buffer.alloc(bytes));
    response.writeHead(200, { "Content-Length": 5 });
    response.write("be");
    await slow.promise;
    response.end("gun");
  });
  const drain = drainServer(server!);
  const [unused, large, begun] = [connection(), connection(), connection()];
  const reset = once(unused, "close");
  unused.on("error", () => {});
  large.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  begun.write("GET /begun HTTP/1.1\r\nHost: a\r\n\r\n");
  await Promise.all([once(large, "readable"), once(begun, "readable"), once(unused, "connect")]);
  drain.stopKeepAlive();
  const closed = drain.close(60_000);
  unused.resume().once("end", () => unused.end());
  await reset;
  await expect(once(connection(), "connect")).rejects.toThrow("ECONNREFUSED");
  slow.resolve();
  expect(await text(begun)).toMatch(/\r\n\r\nbegun$/);
  begun.end();
  const answer = await text(large);
  expect(answer.length - answer.indexOf("\r\n\r\n") - 4).toBe(bytes);
  large.end();
  await closed;
});

test("neither answers nor counts a request whose client has gone", async () => {
  const counted = async () => {
    const { values } = await metrics().calls.get();
    return values.find(({ labels }) => labels.operation === "none")?.value ?? 0;
  };
  const connectTo = await serve(reject);
  const before = await counted();
  const gone = connectTo();
  const failed = once(server!, "clientError");
  gone.write("GET / HTTP/1.1\r\nHost: a\r\n", () => gone.resetAndDestroy());
  expect((await failed)[0]).toHaveProperty("code", "ECONNRESET");
  expect(await counted()).toBe(before);
  const wrong = connectTo();
  wrong.end("no HTTP\r\n\r\n");
  expect(await text(wrong)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await counted()).toBe(before + 1);
});
