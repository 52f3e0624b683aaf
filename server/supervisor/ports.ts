import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/platform/errors/start-errors";
import { freePort, isPortFree } from "#server/postgres/free-port";

const defaultRealtimePort = 6001;

/**
 * Checks that a port is free.
 *
 * @throws {StartError} with the variable if another program uses the port
 */
export async function requireFreePort(variable: string, port: number, host: string | null): Promise<void> {
  if (await isPortFree(port, host ?? undefined)) return;
  throw new StartError(
    `${variable} is ${port}, but another program uses that port: set ${variable} to a free one, for example ${variable}=${port + 1}.`,
  );
}

/**
 * Returns a free port for the embedded realtime server if none is configured, and records it. Prefers the port of the
 * last start, because open pages reconnect to it; then the default port.
 */
export async function chooseRealtimePort(dataDir: string, host: string | null): Promise<number> {
  const file = path.join(dataDir, "realtime-port");
  for (const port of [lastPort(file), defaultRealtimePort]) {
    if (port !== null && (await isPortFree(port, host ?? undefined))) return record(file, port);
  }
  return record(file, await freePort(host ?? undefined));
}

function lastPort(file: string): number | null {
  try {
    const port = Number(readFileSync(file, "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
  } catch {
    return null; // The first start.
  }
}

function record(file: string, port: number): number {
  writeFileSync(file, String(port));
  return port;
}
