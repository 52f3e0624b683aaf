import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawAnswer = {
  /** Status; 0 if the connection ended without a response. */
  status: number;
  /** Raw head and body, and any further bytes. */
  text: string;
  /** Error code of the envelope, or its `data`. */
  code: string | undefined;
  data: unknown;
  /** Bytes of the body sent before the response began. */
  sentBytes: number;
};

export type RawRequest = {
  method?: string;
  path: string;
  headers: Record<string, string>;
  /** Body; chunked unless the headers have a Content-Length. */
  body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Number of bytes sent after a response has arrived. */
  stubbornBytes?: number;
};

/**
 * Sends a raw request byte by byte, unlike a well-behaved client, and continues after a response.
 *
 * @param url URL of the service
 */
export async function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  const { method = "POST", path, body = [], stubbornBytes = 0 } = request;
  const chunked = request.body !== undefined && request.headers["Content-Length"] === undefined;
  const socket = connect(Number(port), hostname);
  const answer = collect(socket);
  const headers = {
    Host: host,
    Connection: "close",
    ...(chunked && { "Transfer-Encoding": "chunked" }),
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  // Without this pause, head and body can arrive together, and the server may then omit `100 Continue`.
  if (request.headers.Expect) await Promise.race([once(socket, "data"), answer.ended]).catch(() => {});
  let sent = 0;
  let sentBefore = 0;
  for await (const bytes of body) {
    if (answer.text === "") sentBefore = sent;
    if (!socket.writable || (answer.text !== "" && sent - sentBefore > stubbornBytes)) break;
    sent += bytes.length;
    if (chunked) socket.write(`${bytes.length.toString(16)}\r\n`);
    const isRoom = socket.write(bytes);
    if (chunked) socket.write("\r\n");
    if (!isRoom) await Promise.race([once(socket, "drain"), answer.ended]).catch(() => {});
  }
  if (chunked && socket.writable) socket.write("0\r\n\r\n");
  await answer.ended;
  socket.destroy();
  return { ...read(answer.text), sentBytes: answer.text === "" ? sent : sentBefore };
}

function collect(socket: Socket): { text: string; ended: Promise<unknown> } {
  const answer = {
    text: "",
    ended: Promise.race([once(socket, "end"), once(socket, "close")]).catch(() => {}),
  };
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    answer.text += bytes.toString("latin1");
  });
  return answer;
}

export function read(text: string): Omit<RawAnswer, "sentBytes"> {
  const envelope = JSON.parse(/\{"success".*\}/s.exec(text)?.[0] ?? "{}");
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
  return { status, text, code: envelope.error?.code, data: envelope.data };
}

/** Repeats a block, with a partial last block, up to an exact number of bytes. */
export function* repeat(block: Uint8Array, bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= block.length)
    yield block.subarray(0, Math.min(left, block.length));
}
