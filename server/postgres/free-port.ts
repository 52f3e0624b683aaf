import { createServer } from "node:net";

/** Returns whether a program can listen on the port now. Without a host, checks all interfaces. */
export function isPortFree(port: number, host?: string): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") return false;
      throw error;
    },
  );
}

/** Returns a port that is free now. Another program may take it before the caller does. */
export function freePort(host?: string): Promise<number> {
  return listenOnce(0, host);
}

function listenOnce(port: number, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}
