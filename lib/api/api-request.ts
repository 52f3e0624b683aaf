/**
 * What the API reads of a request: the web's own `Request`, or what the server in front of Next.js makes of Node's where
 * making a `Request` would cost as much as answering it.
 */
export type ApiRequest = {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: ApiHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The whole body at once: for one that is known to be short. */
  bytes(): Promise<Uint8Array>;
  /** Aborted where the caller has gone before the answer. */
  readonly signal: AbortSignal;
};

/** Names in any case. */
export type ApiHeaders = Pick<Headers, "get" | "has"> & Iterable<[string, string]>;
