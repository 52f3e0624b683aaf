import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { length, MiB, type OwnWeb, startOwnWeb, statusAndCode } from "./own-web.ts";
import { residentMb } from "./process-figures.ts";
import { read } from "./raw-client.ts";

// Sends malicious body lengths and content codings to a separate web process.

let own: OwnWeb;

test.beforeAll(async () => {
  own = await startOwnWeb("Framing");
});

test.afterAll(() => own.stop());

test("leaves no file after an interrupted upload", async () => {
  const temporary = () => readdirSync(path.join(process.env.E2E_DATA_DIR!, "artifacts", ".tmp"));
  const { hostname, port, host } = new URL(own.web.url);
  const socket = connect(Number(port), hostname);
  const head = { ...own.headers, Host: host, "Content-Type": "text/csv", ...length(50 * MiB) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/v1/projects/${own.project}/uploads HTTP/1.1\r\n${lines.join("")}\r\n`);
  socket.write(Buffer.alloc(5 * MiB, "a,b\n"));
  await expect.poll(temporary).toHaveLength(1);
  socket.destroy();
  await expect.poll(temporary).toEqual([]);
});

/** Sends bytes on a new connection and returns everything received until it closes. */
async function exchange(bytes: string, { hangUp = false } = {}): Promise<string> {
  const { hostname, port } = new URL(own.web.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  if (hangUp) socket.end();
  return text(socket);
}

const head = (method: string, address: string, more: Record<string, string>) => {
  const all = { Host: new URL(own.web.url).host, ...own.headers, ...more };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /api/v1${address} HTTP/1.1\r\n${lines.join("")}\r\n`;
};

test("never parses bytes after a rejected body or a short Content-Length as a request", async () => {
  const rename = { name: "Smuggled" };
  const smuggled = `${head("PATCH", `/projects/${own.project}`, length(JSON.stringify(rename).length))}${JSON.stringify(rename)}`;
  const rejected = await exchange(
    `${head("PATCH", `/projects/${own.project}`, length(2_000_000))}${smuggled.repeat(50)}`,
  );
  expect(rejected.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
  expect(rejected).toContain("Connection: close");
  const short = await exchange(`${head("PATCH", `/projects/${own.project}`, length(2))}{}{"name":"Rest"}`);
  expect(short).not.toContain("HTTP/1.1 2");
  expect((await own.ask<{ name: string }>("GET", `/projects/${own.project}`)).name).not.toMatch(
    /Smuggled|Rest/,
  );
});

test("changes nothing if Content-Length is too long or the client disconnects", async () => {
  const cut = await exchange(`${head("PATCH", `/projects/${own.project}`, length(100))}{"name":"Cut"}`, {
    hangUp: true,
  });
  expect(statusAndCode(read(cut))).toBe("400 validation_failed");
  const { hostname, port } = new URL(own.web.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${head("PATCH", `/projects/${own.project}`, length(100))}{"name":"Cut"}`, () =>
    socket.destroy(),
  );
  await text(socket).catch(() => {});
  expect((await own.ask<{ name: string }>("GET", `/projects/${own.project}`)).name).not.toBe("Cut");
});

test("does not send 100 Continue to a rejected client", async () => {
  const expecting = { Expect: "100-continue", ...length(2_000_000) };
  const large = await exchange(head("PATCH", `/projects/${own.project}`, expecting));
  expect(large).toMatch(/^HTTP\/1\.1 413 /);
  const anonymous = { ...expecting, Cookie: "", "X-API-Key": "mps_wrong" };
  expect(await exchange(head("PATCH", `/projects/${own.project}`, anonymous))).toMatch(/^HTTP\/1\.1 401 /);
  const body = '{"name":"Sizes"}';
  const taken = { Expect: "100-continue", ...length(body.length), Connection: "close" };
  const { hostname, port } = new URL(own.web.url);
  const socket = connect(Number(port), hostname);
  socket.write(head("PATCH", `/projects/${own.project}`, taken));
  const [word] = (await once(socket, "data")) as [Buffer];
  expect(word.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write(body);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test("does not decompress request bodies", async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, " "));
  const before = residentMb(own.web.pid);
  for (const address of ["", "/predict", "/scenarios", "/uploads"]) {
    const type = address === "/uploads" ? { "Content-Type": "text/csv" } : {};
    const answer = await own.send(`/projects/${own.project}${address}`, [bomb], {
      method: address === "" ? "PATCH" : "POST",
      headers: { ...type, "Content-Encoding": "gzip", ...length(bomb.length) },
    });
    expect(statusAndCode(answer)).toBe("415 unsupported_media_type");
  }
  expect(residentMb(own.web.pid) - before).toBeLessThan(100);
});
