import type { ErrorBody } from "#lib/contract/common";
import type { ErrorCode } from "#lib/contract/error-codes";

type ApiErrorDetail = NonNullable<ErrorBody["error"]["details"]>[number];

/** Carries the service's error response. `status` is 0 if no response arrived. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode | "network";
  readonly status: number;
  readonly details: ApiErrorDetail[];
  readonly requestId: string | null;

  constructor(status: number, error: Partial<ErrorBody["error"]> & { message: string }) {
    super(error.message);
    this.status = status;
    this.code = error.code ?? "network";
    this.details = error.details ?? [];
    this.requestId = error.requestId ?? null;
  }
}

type ApiOptions = { signal?: AbortSignal; headers?: Record<string, string> };

async function call(
  method: string,
  path: string,
  body?: unknown,
  options: ApiOptions = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...options.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, { message: "The service did not respond. Check the connection and try again." });
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => null)) as ErrorBody | null;
  throw new ApiError(
    response.status,
    answer?.error ?? { message: `The service returned status ${response.status} without an error message.` },
  );
}

async function data<T>(response: Promise<Response>): Promise<T> {
  return ((await (await response).json()) as { data: T }).data;
}

/**
 * Calls the service's `/api/v1`, like external programs do. Paths start after `/api/v1`; results are the envelope's
 * `data`.
 */
export const api = {
  get: <T>(path: string, options?: ApiOptions) => data<T>(call("GET", path, undefined, options)),
  /** Reads a resource and the ETag of this version. A proxy that compresses the response marks its ETag as weak. */
  async version<T>(path: string): Promise<{ data: T; etag: string }> {
    const response = await call("GET", path);
    const etag = response.headers.get("etag")?.replace(/^W\//, "") ?? "*";
    return { data: ((await response.json()) as { data: T }).data, etag };
  },
  post: <T>(path: string, body: unknown, options?: ApiOptions) => data<T>(call("POST", path, body, options)),
  put: <T>(path: string, body: unknown, options?: ApiOptions) => data<T>(call("PUT", path, body, options)),
  patch: <T>(path: string, body: unknown, options?: ApiOptions) =>
    data<T>(call("PATCH", path, body, options)),
  delete: <T>(path: string, options?: ApiOptions) => data<T>(call("DELETE", path, undefined, options)),
  /** Downloads a file in the media type given by `accept`. */
  blob: async (path: string, accept: string) =>
    (await call("GET", path, undefined, { headers: { accept } })).blob(),
  /** Reads all pages of a list. */
  async all<T>(path: string, options?: ApiOptions): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { items: T[]; nextCursor: string | null } = await api.list(path, cursor, options);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  },
  /** Reads the page of a list at a cursor, which is empty for the first one. The `Link` header has the next cursor. */
  async list<T>(
    path: string,
    cursor: string,
    options?: ApiOptions,
  ): Promise<{ items: T[]; nextCursor: string | null }> {
    const at = cursor && `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    const response = await call("GET", path + at, undefined, options);
    const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
    return {
      items: ((await response.json()) as { data: T[] }).data,
      nextCursor: next ? new URL(next, location.origin).searchParams.get("cursor") : null,
    };
  },
};
