import { brotliDecompressSync, gunzipSync } from "node:zlib";

const askedForBody = "HTTP/1.1 100 Continue\r\n\r\n";

/** Of an answer as it came all but what differs from call to call, how it is framed, and which coding it is packed in. */
export function comparable(answer: string) {
  const asked = answer.startsWith(askedForBody);
  const text = asked ? answer.slice(askedForBody.length) : answer;
  const end = text.indexOf("\r\n\r\n");
  const [status, ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:]+): (.*)$/.exec(line)!;
      return [name!.toLowerCase(), value!];
    }),
  );
  const isChunked = headers["transfer-encoding"] === "chunked";
  const plain = unchunked(text.slice(end + 4), isChunked);
  const length = headers["content-length"];
  if (length !== undefined && Number(length) !== plain.length) throw new Error(`Not of its length: ${text}`);
  for (const name of ["date", "transfer-encoding", "content-length"]) delete headers[name];
  const body = decoded(plain, headers["content-encoding"]).toString();
  const id = headers["x-request-id"]!;
  return {
    adapter: isChunked ? "next" : "own",
    asked,
    status,
    headers: {
      ...headers,
      "content-encoding": headers["content-encoding"] !== undefined,
      "x-request-id": /^[\da-f-]{36}$/.test(id),
      "content-security-policy": headers["content-security-policy"]?.replace(/'nonce-[^']+'/, "'nonce-'"),
    },
    body: body.replaceAll(id, "…"),
  };
}

function decoded(packed: Buffer, coding: string | undefined): Buffer {
  if (coding === undefined) return packed;
  return coding === "br" ? brotliDecompressSync(packed) : gunzipSync(packed);
}

function unchunked(text: string, isChunked: boolean): Buffer {
  const bytes = Buffer.from(text, "latin1");
  if (!isChunked) return bytes;
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
