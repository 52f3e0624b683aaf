import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressFiles } from "../../scripts/build/compress-files.ts";
import { compressedFiles } from "./compressed-files.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "compressed-"));
const script = "const answer = 42;\n".repeat(500);
const server = createServer();

beforeAll(async () => {
  mkdirSync(path.join(folder, "chunks"));
  writeFileSync(path.join(folder, "chunks", "a-1~b.js"), script);
  writeFileSync(path.join(folder, "page.css"), "p{}");
  writeFileSync(path.join(folder, "font.woff2"), "as it is");
  await compressFiles(folder);
  const send = compressedFiles(folder);
  server.on("request", (incoming, response) => {
    if (!send(incoming, response)) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (file: string, encodings?: string, method = "GET") =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const headers = encodings === undefined ? {} : { "accept-encoding": encodings };
    request({ port, host: "127.0.0.1", path: `/_next/static/${file}`, method, headers }, resolve)
      .on("error", reject)
      .end();
  });

test("sends scripts and styles as compressed by the build, with a permanent cache lifetime", async () => {
  const answer = await get("chunks/a-1~b.js", "gzip, deflate, br, zstd");
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "application/javascript; charset=UTF-8",
    "content-encoding": "br",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  const body = await buffer(answer);
  expect(Number(answer.headers["content-length"])).toBe(body.length);
  expect(brotliDecompressSync(body).toString()).toBe(script);
  const style = await get("page.css", "br;q=0.5");
  expect(style.headers["content-type"]).toBe("text/css; charset=UTF-8");
  style.resume();
});

test.each([
  ["chunks/a-1~b.js", undefined, "GET"],
  ["chunks/a-1~b.js", "gzip, deflate", "GET"],
  ["chunks/a-1~b.js", "gzip, br;q=0", "GET"],
  ["chunks/a-1~b.js", "br;q=0.000, gzip", "GET"],
  ["chunks/a-1~b.js", "br", "HEAD"],
  ["chunks/a-1~b.js.br", "br", "GET"],
  ["font.woff2", "br", "GET"],
  ["chunks/other.js", "br", "GET"],
  ["../static/page.css", "br", "GET"],
])("leaves other requests to Next.js: file %s, encodings %s, method %s", async (file, encodings, method) => {
  const answer = await get(file, encodings, method);
  expect(answer.statusCode).toBe(204);
  answer.resume();
});
