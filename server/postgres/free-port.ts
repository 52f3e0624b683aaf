import { createServer } from "node:net";

/** Whether a program could listen on the port now; without a host on every interface, as servers here do. */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") return false;
      throw error;
    },
  );
}

/** A port that nobody listens on at this moment; the caller must be ready to lose the race for it. */
export function freePort(host?: string): Promise<number> {
  return listenOnce(0, host);
}

function listenOnce(port: number, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}
