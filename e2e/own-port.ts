import { isPortFree } from "../server/postgres/free-port.ts";

// Below those that systems give to whoever asks for any port, as PostgreSQL and every connection do: none of them takes
// one between its choice and the listening on it, which in a service that starts are seconds.
const lowest = 20_000;
const count = 10_000;

let last = Math.floor(Math.random() * count);

/** A port for a process that a test starts, each time another one. */
export async function ownPort(): Promise<number> {
  last = (last + 1) % count;
  const port = lowest + last;
  return (await isPortFree(port)) ? port : ownPort();
}
