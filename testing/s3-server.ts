import crypto from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import S3rver from "s3rver";
import { createDataFolder } from "./run-folder.ts";

// s3rver encrypts the position of the next page of a list with DES, which OpenSSL 3 does not offer. Triple DES with three
// equal keys is the same cipher.
const { createCipheriv, createDecipheriv } = crypto;
const tripled = (key: crypto.CipherKey) => Buffer.concat([key, key, key] as Buffer[]);
crypto.createCipheriv = ((algorithm: string, key: crypto.CipherKey, iv: crypto.BinaryLike) =>
  algorithm === "des"
    ? createCipheriv("des-ede3-cbc", tripled(key), iv)
    : createCipheriv(algorithm, key, iv)) as typeof createCipheriv;
crypto.createDecipheriv = ((algorithm: string, key: crypto.CipherKey, iv: crypto.BinaryLike) =>
  algorithm === "des"
    ? createDecipheriv("des-ede3-cbc", tripled(key), iv)
    : createDecipheriv(algorithm, key, iv)) as typeof createDecipheriv;

export type S3Server = {
  endpoint: string;
  bucket: string;
  /** While full, the server rejects to store objects, as MinIO does when its disk is full. */
  setFull(isFull: boolean): void;
  stop(): Promise<void>;
};

const fullAnswer = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its minimum free drive threshold.</Message></Error>`;

/**
 * Starts an S3 server with one bucket on a free port, and sets its credentials in the environment. S3 replaces objects
 * atomically, but this server overwrites them in place, so it handles one request at a time.
 */
export async function startS3Server(): Promise<S3Server> {
  const directory = createDataFolder("s3-server-");
  const bucket = "artifacts";
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  await s3.configureBuckets();
  process.env.AWS_ACCESS_KEY_ID = "S3RVER";
  process.env.AWS_SECRET_ACCESS_KEY = "S3RVER";
  const answer = s3.callback();
  let queue: Promise<unknown> = Promise.resolve();
  let isFull = false;
  const server = createServer((request, response) => {
    if (isFull && /^(?:PUT|POST)$/.test(request.method!) && !request.url!.includes("?delete")) {
      request.resume().once("end", () => response.writeHead(507).end(fullAnswer));
      return;
    }
    queue = queue.then(() => {
      // The client has left, so its "close" event has passed. Clients that repeat their requests would leave more of these
      // than the server could wait for.
      if (request.socket.destroyed) return;
      answer(request, response);
      // A client that stalls during a request delays the others by at most two seconds.
      return Promise.race([once(response, "close"), delay(2_000, undefined, { ref: false })]);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    setFull(full) {
      isFull = full;
    },
    stop: async () => {
      server.close().closeAllConnections();
      await once(server, "close");
      rmSync(directory, { recursive: true });
    },
  };
}
