import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { toDomainError } from "#lib/api/response/error-answer";
import { isDatabaseAway, isOutage } from "#lib/platform/errors/outage";
import { startS3Server } from "#testing/s3-server";
import { S3Objects, type S3Place } from "./s3-objects.ts";
import { S3Store } from "./s3-store.ts";

const server = await startS3Server();
afterAll(() => server.stop());

const at = (prefix: string): S3Place => ({
  bucket: server.bucket,
  endpoint: server.endpoint,
  prefix: `${prefix}/`,
  region: "us-east-1",
});
const names = async (place: S3Place) =>
  (await Array.fromAsync(new S3Objects(place).each(""))).map(({ name }) => name);
const noLimit = { limitBytes: Number.POSITIVE_INFINITY };

test("uploads a large stream in parts, and returns it byte for byte", async () => {
  const store = new S3Store(at("large"));
  const chunks = Array.from({ length: 20 }, (_, i) => Buffer.alloc(1_000_000, i));
  const measured = await store.writeStream("uploads/1", Readable.from(chunks), noLimit);
  const back = await buffer(await store.openRead("uploads/1", "content"));
  const sha256 = createHash("sha256").update(back).digest("hex");
  expect(back.equals(Buffer.concat(chunks))).toBe(true);
  expect(measured).toEqual({ bytes: 20_000_000, sha256 });
});

test("a large stream that breaks off leaves no object and reports the error", async () => {
  const store = new S3Store(at("broken"));
  async function* broken() {
    for (let i = 0; i < 12; i++) yield Buffer.alloc(1_000_000, i);
    throw new Error("connection lost");
  }
  await expect(store.writeStream("uploads/1", broken(), noLimit)).rejects.toThrow("connection lost");
  expect(await names(at("broken"))).toEqual([]);
});

test("keeps files that a manifest names, and deletes others once they are old", async () => {
  const place = at("leftovers");
  const store = new S3Store(place);
  await store.writeFolder("a", new Map([["x", Buffer.from("1")]]));
  const [kept] = (await names(place)).filter((name) => name.includes("/."));
  const text = Buffer.from("half");
  const sha256 = createHash("sha256").update(text).digest("hex");
  // As writers leave it that are killed: of a folder that is there, and of one that never came to be.
  for (const name of ["a/.00ff/x", "b/.00ff/x", "b/.00ff/y"])
    await new S3Objects(place).put(name, text, sha256);
  expect(await store.removeLeftovers(new Date(Date.now() - 3_600_000))).toBe(0);
  expect(await store.listFolders("")).toEqual(["a"]);
  // A second passes, since the server rounds times to seconds.
  expect(await store.removeLeftovers(new Date(Date.now() + 1_000))).toBe(2);
  expect(await names(place)).toEqual([kept, "a/MANIFEST.json"]);
  expect((await store.readFile("a", "x")).toString()).toBe("1");
});

test("lists more objects than a page holds, sorted and once each", { timeout: 60_000 }, async () => {
  const place = at("pages");
  const objects = new S3Objects(place);
  const content = Buffer.from("1");
  const sha256 = createHash("sha256").update(content).digest("hex");
  const wanted = Array.from({ length: 1_005 }, (_, at) => `${at % 7}/${String(at).padStart(4, "0")}`).sort();
  for (let from = 0; from < wanted.length; from += 20)
    await Promise.all(wanted.slice(from, from + 20).map((name) => objects.put(name, content, sha256)));
  expect(await names(place)).toEqual(wanted);
});

test("reports a full store, leaves no object, and stores again once there is room", async () => {
  const store = new S3Store(at("full"));
  const files = new Map([["x", Buffer.from("1")]]);
  const large = () => store.writeStream("uploads/1", Readable.from([Buffer.alloc(12_000_000)]), noLimit);
  server.setFull(true);
  for (const write of [() => store.writeFolder("a", files), large]) {
    const error = toDomainError(await write().catch((cause: unknown) => cause));
    expect(error.message).toBe("The storage is full. Retry after the delay in the header Retry-After.");
  }
  expect(await names(at("full"))).toEqual([]);
  server.setFull(false);
  await store.writeFolder("a", files);
  expect(await store.listFolders("")).toEqual(["a"]);
});

test("gives up on a server that accepts connections and never responds", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as { port: number };
  const patience = { connectionTimeout: 500, requestTimeout: 500, socketTimeout: 500 };
  const impatient = new S3Store({ ...at("silent"), endpoint: `http://127.0.0.1:${port}` }, patience);
  const error = await impatient.readManifest("a").catch((cause: unknown) => cause);
  expect(toDomainError(error).code).toBe("service_unavailable");
  silent.close();
});

test.each([undefined, { start: 0, end: 50 }])(
  "reports an outage of the store if a response breaks off (%j)",
  async (range) => {
    const breaking = createHttpServer((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
    }).listen(0, "127.0.0.1");
    await once(breaking, "listening");
    const { port } = breaking.address() as { port: number };
    const objects = new S3Objects({ ...at("breaking"), endpoint: `http://127.0.0.1:${port}` });
    const error = await buffer((await objects.get("a", range))!).catch((cause: unknown) => cause);
    // An outage of the database would not count as an attempt of a job.
    expect([isOutage(error), isDatabaseAway(error)]).toEqual([true, false]);
    breaking.close();
  },
);

test("reports an outage while the server rejects the time of a wrong clock", async () => {
  const code =
    "<Error><Code>RequestTimeTooSkewed</Code><Message>The difference is too large.</Message></Error>";
  const skewed = createHttpServer((_, response) => {
    response.writeHead(403, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>${code}`);
  }).listen(0, "127.0.0.1");
  await once(skewed, "listening");
  const { port } = skewed.address() as { port: number };
  const store = new S3Store({ ...at("skewed"), endpoint: `http://127.0.0.1:${port}` });
  const error = await store
    .writeFolder("a", new Map([["x", Buffer.from("1")]]))
    .catch((cause: unknown) => cause);
  expect(toDomainError(error).code).toBe("service_unavailable");
  skewed.close();
});

test("distinguishes an unreachable server from one that rejects the call", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as { port: number };
  closed.close();
  const away = new S3Store({ ...at("away"), endpoint: `http://127.0.0.1:${port}` });
  const error = await away.readManifest("a").catch((cause: unknown) => cause);
  expect(toDomainError(error).code).toBe("service_unavailable");
  const nowhere = new S3Store({ ...at("x"), bucket: "no-such-bucket" });
  const rejected = await nowhere
    .writeFolder("a", new Map([["x", Buffer.from("1")]]))
    .catch((cause: unknown) => cause);
  expect(toDomainError(rejected).code).toBe("internal_error");
});
