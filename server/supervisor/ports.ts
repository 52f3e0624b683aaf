import { writeFileSync } from "node:fs";
import path from "node:path";
import { readIfPresent } from "#lib/platform/config/secrets";
import { StartError } from "#lib/platform/errors/start-errors";
import { freePort, isPortFree } from "#server/postgres/free-port";

const defaultRealtimePort = 6001;

/**
 * Checks that a server can listen on a port.
 *
 * @throws {StartError} with the variable if another program uses the port, or with the reason why no server can
 */
export async function requireFreePort(variable: string, port: number, host: string | null): Promise<void> {
  const isFree = await isPortFree(port, host ?? undefined).catch((cause: NodeJS.ErrnoException) => {
    const place = host === null ? `port ${port}` : `port ${port} of ${host}`;
    const message = `The service cannot listen on ${place} (${cause.code}): check ${variable} and BIND_ADDRESS.`;
    throw new StartError(message, { cause });
  });
  if (isFree) return;
  throw new StartError(
    `${variable} is ${port}, but another program uses that port: set ${variable} to a free one, for example ${variable}=${port + 1}.`,
  );
}

/**
 * Checks that two variables do not give one port to two servers of this machine, which would restart for ever.
 *
 * @throws {StartError} with both variables
 */
export function requireDistinctPorts(ports: Readonly<Record<string, number | null>>): void {
  const first = new Map<number, string>();
  for (const [variable, port] of Object.entries(ports)) {
    if (port === null) continue;
    const other = first.get(port);
    if (other !== undefined)
      throw new StartError(`${variable} and ${other} are both ${port}: set ${variable} to another port.`);
    first.set(port, variable);
  }
}

/**
 * Returns a free port for the embedded realtime server if none is configured, and records it. Prefers the port of the
 * last start, because open pages reconnect to it; then the default port.
 *
 * @param taken ports of the service's other servers, which have not started yet
 */
export async function chooseRealtimePort(
  dataDir: string,
  host: string | null,
  taken: readonly (number | null)[],
): Promise<number> {
  const file = path.join(dataDir, "realtime-port");
  for (const port of [lastPort(file), defaultRealtimePort]) {
    if (port === null || taken.includes(port)) continue;
    if (await isPortFree(port, host ?? undefined)) return record(file, port);
  }
  for (;;) {
    const port = await freePort(host ?? undefined);
    if (!taken.includes(port)) return record(file, port);
  }
}

function lastPort(file: string): number | null {
  const port = Number(readIfPresent(file)); // 0 at the first start.
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

function record(file: string, port: number): number {
  writeFileSync(file, String(port));
  return port;
}
