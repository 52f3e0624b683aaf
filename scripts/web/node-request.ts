import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiHeaders, ApiRequest } from "#lib/http/api-request";

/** Node's own request as the API reads it, with what Next.js would make of it. */
export function nodeRequest(request: IncomingMessage, response: ServerResponse): ApiRequest {
  const { method = "GET", url = "/", headers } = request;
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new Error("The caller has gone."));
  });
  return {
    method,
    url: `http://${headers.host ?? "localhost"}${url}`,
    headers: new NodeHeaders(request),
    // Whoever stops reading still answers on the connection.
    body: request.iterator({ destroyOnReturn: false }),
    signal: gone.signal,
  };
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
