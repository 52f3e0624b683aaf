/**
 * The parts of a request that the API reads: a web `Request`, or an object that the server in front of Next.js makes
 * from Node's request where creating a `Request` would cost as much as the response.
 */
export type ApiRequest = {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: ApiHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Returns the whole body at once. For short bodies only. */
  bytes(): Promise<Uint8Array>;
  /** Aborted if the client disconnects before the response. */
  readonly signal: AbortSignal;
};

/** Names are case-insensitive. */
export type ApiHeaders = Pick<Headers, "get" | "has"> & Iterable<[string, string]>;
