import { isPortFree } from "../server/postgres/free-port.ts";

// Uses ports below the ephemeral range, which PostgreSQL and every connection take from. Otherwise another process
// could take the port in the seconds before the service listens.
const lowest = 20_000;
const count = 10_000;

let last = Math.floor(Math.random() * count);

/** Returns a new port for a process that a test starts. */
export async function ownPort(): Promise<number> {
  last = (last + 1) % count;
  const port = lowest + last;
  return (await isPortFree(port)) ? port : ownPort();
}
