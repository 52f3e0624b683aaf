import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PendingQuery, Row } from "postgres";

/**
 * Sends a `COPY … FROM STDIN` of the driver with its data.
 *
 * @throws the error of the server, also for the last data; the error of the source
 */
export async function sendCopy(copy: PendingQuery<Row[]>, source: AsyncIterable<Uint8Array>): Promise<void> {
  // The driver reports a server error to the stream during the write. After the end of the stream it reports the error
  // to the query, where nothing would handle it, and the stream would never end.
  const rejected = Promise.withResolvers<never>();
  rejected.promise.catch(() => {});
  const stream = endingSilently(await copy.writable());
  Object.assign(copy, { reject: rejected.reject });
  await Promise.race([pipeline(source, stream), rejected.promise]);
}

/**
 * Keeps the driver from reporting a failure after a complete COPY. The server then waits for a statement without its
 * time-out, and does not release the transaction's locks.
 */
function endingSilently(stream: Writable): Writable {
  const fail = stream._destroy.bind(stream);
  stream._destroy = (error, done) => (error === null ? done() : fail(error, done));
  return stream;
}
