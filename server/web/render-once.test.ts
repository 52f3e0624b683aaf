import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { renderOnce } from "../../scripts/web/render-once.ts";

/** Which pages a server on this address is asked for, once that has ended; by then it has no connection any more. */
async function asked(address: string, answer: RequestListener): Promise<string[]> {
  const pages: string[] = [];
  const server = createServer((request, response) => {
    pages.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, address);
  await once(server, "listening");
  await renderOnce(server.address() as AddressInfo);
  server.close();
  await once(server, "close");
  return pages;
}

test.each(["127.0.0.1", "::1", "0.0.0.0", "::"])(
  "one page is asked for, and read to its end, of a server on %s",
  async (address) => {
    let isRead = false;
    const pages = await asked(address, (_, response) => {
      response.on("finish", () => {
        isRead = true;
      });
      response.write("a".repeat(1 << 20));
      setImmediate(() => response.end("b".repeat(1 << 20)));
    });
    expect([pages, isRead]).toEqual([["GET /login"], true]);
  },
);

test.each<[string, RequestListener]>([
  ["before it answers", (_, response) => response.destroy()],
  ["in the midst of an answer", (_, response) => response.write("a", () => response.destroy())],
])("a server that hangs up %s is none the worse", async (_, answer) => {
  expect(await asked("127.0.0.1", answer)).toEqual(["GET /login"]);
});
