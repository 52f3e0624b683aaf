import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawAnswer = {
  /** 0 where the connection ended without an answer. */
  status: number;
  /** Head and body as they came, and what came after them. */
  text: string;
  /** The error's code in the envelope, or `data` of it. */
  code: string | undefined;
  data: unknown;
  /** Of the body, before the answer began. */
  sentBytes: number;
};

export type RawRequest = {
  method?: string;
  path: string;
  headers: Record<string, string>;
  /** Sent in chunks unless the headers have a Content-Length. */
  body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** How much is sent on after an answer has come. */
  stubbornBytes?: number;
};

/**
 * Sends a request as no well-behaved client would: byte by byte what is said here, in spite of an answer.
 *
 * @param url of the service
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

/** The same block so many times, and part of it: the number of bytes is exact. */
export function* repeat(block: Uint8Array, bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= block.length)
    yield block.subarray(0, Math.min(left, block.length));
}
