import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "#lib/config/start-error";
import { freePort, isPortFree } from "#server/postgres/free-port";

const usualRealtimePort = 6001;

/** @throws {StartError} naming the variable where another program listens on the port */
export async function requireFreePort(variable: string, port: number, host: string | null): Promise<void> {
  if (await isPortFree(port, host ?? undefined)) return;
  throw new StartError(
    `${variable} is ${port}, but another program uses that port: set ${variable} to a free one (${variable}=${port + 1}, say).`,
  );
}

/**
 * The port of the embedded realtime server where none was asked for: the one of the last start, so that open pages find
 * it again, else the usual one, else any free one.
 */
export async function chooseRealtimePort(dataDir: string, host: string | null): Promise<number> {
  const file = path.join(dataDir, "realtime-port");
  for (const port of [lastPort(file), usualRealtimePort]) {
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
