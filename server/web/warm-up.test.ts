import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { warmUp } from "./warm-up.ts";

/** Runs `warmUp` on a server with this address. Returns the requests after all connections have closed. */
async function requestsTo(address: string, answer: RequestListener): Promise<string[]> {
  const pages: string[] = [];
  const server = createServer((request, response) => {
    pages.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, address);
  await once(server, "listening");
  await warmUp(server.address() as AddressInfo);
  server.close();
  await once(server, "close");
  return pages;
}

test.each(["127.0.0.1", "::1", "0.0.0.0", "::"])(
  "requests the pages that load code from a server on %s, and reads them to the end",
  async (address) => {
    let isRead = false;
    const pages = await requestsTo(address, (_, response) => {
      response.on("finish", () => {
        isRead = true;
      });
      response.write("a".repeat(1 << 20));
      setImmediate(() => response.end("b".repeat(1 << 20)));
    });
    expect([pages, isRead]).toEqual([["GET /login", "GET /api/v1/openapi.json"], true]);
  },
);

test.each<[string, RequestListener]>([
  ["before the response", (_, response) => response.destroy()],
  ["during the response", (_, response) => response.write("a", () => response.destroy())],
])("ignores a server that hangs up %s", async (_, answer) => {
  expect(await requestsTo("127.0.0.1", answer)).toEqual(["GET /login", "GET /api/v1/openapi.json"]);
});
