import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import S3rver from "s3rver";

export type S3Server = { endpoint: string; bucket: string; stop(): Promise<void> };

/**
 * An S3 server with one bucket, on a port of its own; its credentials are put where the library looks for them. S3 replaces
 * objects at once, this server writes over them: so it gets one request at a time.
 */
export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(path.join(os.tmpdir(), "s3-server-"));
  const bucket = "artifacts";
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  await s3.configureBuckets();
  process.env.AWS_ACCESS_KEY_ID = "S3RVER";
  process.env.AWS_SECRET_ACCESS_KEY = "S3RVER";
  const answer = s3.callback();
  let turn: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    turn = turn.then(() => {
      answer(request, response);
      // Whoever hangs in the middle of a request holds up others for a moment, not for ever.
      return Promise.race([once(response, "close"), delay(2_000, undefined, { ref: false })]);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    stop: async () => {
      server.close().closeAllConnections();
      await once(server, "close");
      rmSync(directory, { recursive: true });
    },
  };
}
