import { brotliDecompressSync, gunzipSync } from "node:zlib";

const askedForBody = "HTTP/1.1 100 Continue\r\n\r\n";
/** Names that Next.js adds to `Vary` for its pages. */
const pageHeader = /^(?:rsc|next-router-.*)$/;

/** Reduces an answer to what both adapters share: without framing, coding, values of a single call and `pageHeader`. */
export function comparable(answer: string) {
  const hasContinue = answer.startsWith(askedForBody);
  const text = hasContinue ? answer.slice(askedForBody.length) : answer;
  const end = text.indexOf("\r\n\r\n");
  const [status, ...lines] = text.slice(0, end).split("\r\n");
  const fields = lines.map((line) => /^([^:]+): (.*)$/.exec(line)!);
  const byName = Object.groupBy(fields, ([, name]) => name!.toLowerCase());
  const headers = Object.fromEntries(
    Object.entries(byName).map(([name, all]) => [name, all!.map(([, , value]) => value!).join(", ")]),
  );
  const isChunked = headers["transfer-encoding"] === "chunked";
  const plain = unchunked(text.slice(end + 4), isChunked);
  const length = headers["content-length"];
  if (length !== undefined && Number(length) !== plain.length)
    throw new Error(`Content-Length does not match the body: ${text}`);
  for (const name of ["date", "transfer-encoding", "content-length"]) delete headers[name];
  const body = decoded(plain, headers["content-encoding"]).toString();
  const id = headers["x-request-id"]!;
  return {
    adapter: isChunked ? "next" : "own",
    hasContinue,
    status,
    headers: {
      ...headers,
      vary: headers.vary?.split(", ").filter((name) => !pageHeader.test(name)),
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
