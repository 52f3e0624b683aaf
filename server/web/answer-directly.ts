import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { answer } from "#lib/api/answer";
import type { ApiHeaders, ApiRequest } from "#lib/api/api-request";
import { JsonAnswer } from "#lib/api/response/json-answer";
import { POST as predict } from "../../app/api/v1/projects/[projectId]/predict/route.ts";

/** Matches a plain project id. Next.js handles other spellings, for example with percent escapes. */
const predictPath = /^\/api\/v1\/projects\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/predict(?:\?|$)/i;

/**
 * Answers `POST …/predict`, the most frequent call, without Next.js. Next.js takes several times as long as the rest of
 * a small prediction (docs/decisions/0174-predictions-in-front-of-next.md). Both use the same declaration and answer alike.
 *
 * @param headers additional headers of the answer: alternating names and values
 * @returns whether the request was such a call
 */
export async function answerDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  headers: readonly string[],
): Promise<boolean> {
  if (request.method !== "POST") return false;
  const projectId = predictPath.exec(request.url ?? "")?.[1];
  if (projectId === undefined) return false;
  const answered = await answer(predict.declaration, new NodeRequest(request, response), { projectId });
  if (!(answered instanceof JsonAnswer)) throw new TypeError("The answer of a prediction must be JSON.");
  await sendText(request, response, answered, headers);
  return true;
}

/** Request of Node.js in the form that the API reads. Creates rarely used parts on first use. */
class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly headers: ApiHeaders;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #gone: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.method = request.method ?? "GET";
    this.headers = new NodeHeaders(request);
    this.#request = request;
    this.#response = response;
  }

  get url(): string {
    const { url = "/", headers } = this.#request;
    return `http://${headers.host ?? "localhost"}${url}`;
  }

  /** Chunks of the body. The connection stays usable for the response if the reader stops early. */
  get body(): AsyncIterable<Uint8Array> {
    return this.#request.iterator({ destroyOnReturn: false });
  }

  bytes(): Promise<Buffer> {
    const request = this.#request;
    if (request.destroyed && !request.readableEnded)
      return Promise.reject(request.errored ?? new Error("aborted"));
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
      .once("error", reject);
    return promise;
  }

  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      const response = this.#response;
      const onClose = () => {
        if (!response.writableFinished) gone.abort(new Error("The caller has disconnected."));
      };
      if (response.closed) onClose();
      else response.once("close", onClose);
      this.#gone = gone;
    }
    return this.#gone.signal;
  }
}

class NodeHeaders implements ApiHeaders {
  readonly #headers: IncomingMessage["headers"];

  constructor({ headers }: IncomingMessage) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  }

  has(name: string): boolean {
    return this.#headers[name.toLowerCase()] !== undefined;
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const name of Object.keys(this.#headers)) yield [name, this.get(name)!];
  }
}

/** Minimum size for compression. Shorter texts fit into one packet. */
const MIN_BYTES = 1024;
const acceptsGzip = /(?:^|[,\s])(?:gzip|\*)\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i;

const compress = promisify(gzip);

/**
 * Sends an answer with its length. Compresses a long one, in another thread, if the caller accepts gzip.
 *
 * @param others additional headers: alternating names and values. Node.js writes such a list unchanged; it takes several
 *   times as long for headers that are set one by one
 */
async function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: JsonAnswer,
  others: readonly string[],
): Promise<void> {
  const head = [...others, "Vary", "Accept-Encoding"];
  for (const [name, value] of headers) head.push(name, value);
  const isShort = body === null || body.length < MIN_BYTES;
  if (isShort || !acceptsGzip.test(String(request.headers["accept-encoding"] ?? ""))) {
    head.push("Content-Length", String(Buffer.byteLength(body ?? "")));
    response.writeHead(status, head);
    endTogether(response, body);
    return;
  }
  const compressed = await compress(body);
  head.push("Content-Encoding", "gzip", "Content-Length", String(compressed.length));
  response.writeHead(status, head).end(compressed);
}

let ended: [ServerResponse, string | null][] = [];

/**
 * Writes all responses of one event loop iteration together at its end. A reader on the same machine then wakes once for
 * all of them. Waking it takes longer than creating most responses.
 */
function endTogether(response: ServerResponse, body: string | null): void {
  if (ended.push([response, body]) > 1) return;
  setImmediate(() => {
    const all = ended;
    ended = [];
    for (const [one, text] of all) one.end(text);
  });
}
