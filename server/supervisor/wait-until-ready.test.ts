import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { waitUntilReady } from "./wait-until-ready.ts";

test("waits for two minutes, also if the system's clock is set during the start", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let requests = 0;
  const server = createServer((_, response) => {
    vi.setSystemTime(Date.now() + 3_600_000);
    response.writeHead(++requests < 3 ? 503 : 200).end();
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await waitUntilReady(`http://127.0.0.1:${port}/`, new AbortController().signal);
  expect(requests).toBe(3);
});
