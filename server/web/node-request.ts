import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiHeaders, ApiRequest } from "#lib/api/api-request";

/** Request of Node.js in the form that the API reads. Creates rarely used parts on first use. */
export class NodeRequest implements ApiRequest {
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
