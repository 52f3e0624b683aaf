import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "#server/postgres/free-port";
import { chooseRealtimePort, requireDistinctPorts, requireFreePort } from "./ports.ts";

let folder: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "ports-"));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true });
});

async function occupy(port: number, host: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
}

test("rejects a port in use with the variable", async () => {
  const port = await freePort("127.0.0.1");
  await requireFreePort("PORT", port, "127.0.0.1");
  await occupy(port, "127.0.0.1");
  await expect(requireFreePort("PORT", port, "127.0.0.1")).rejects.toThrow(
    `PORT is ${port}, but another program uses that port: set PORT to a free one`,
  );
});

test("rejects an address that this machine does not have, with the variables", async () => {
  await expect(requireFreePort("PORT", 3000, "192.0.2.1")).rejects.toThrow(
    "The service cannot listen on port 3000 of 192.0.2.1 (EADDRNOTAVAIL): check PORT and BIND_ADDRESS.",
  );
});

test("chooses the realtime port of the last start while that port is free", async () => {
  const first = await chooseRealtimePort(folder, "127.0.0.1", []);
  expect(await chooseRealtimePort(folder, "127.0.0.1", [])).toBe(first);
  await occupy(first, "127.0.0.1");
  expect(await chooseRealtimePort(folder, "127.0.0.1", [])).not.toBe(first);
});

test("never chooses the port of another server of the service", async () => {
  // Without a recorded port the default is 6001; afterwards the recorded port comes first.
  expect(await chooseRealtimePort(folder, "127.0.0.1", [6001])).not.toBe(6001);
  const recorded = await chooseRealtimePort(folder, "127.0.0.1", []);
  expect(await chooseRealtimePort(folder, "127.0.0.1", [recorded, null])).not.toBe(recorded);
});

test("rejects one port for two servers, with both variables", () => {
  requireDistinctPorts({ PORT: 3000, REALTIME_PORT: null, WORKER_PORT: null });
  expect(() => requireDistinctPorts({ PORT: 3000, REALTIME_PORT: 3000, WORKER_PORT: null })).toThrow(
    "REALTIME_PORT and PORT are both 3000: set REALTIME_PORT to another port.",
  );
  expect(() => requireDistinctPorts({ PORT: 3000, REALTIME_PORT: 6001, WORKER_PORT: 6001 })).toThrow(
    "WORKER_PORT and REALTIME_PORT are both 6001: set WORKER_PORT to another port.",
  );
});
