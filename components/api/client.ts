import type { ErrorBody } from "#lib/contract/common";
import type { ErrorCode } from "#lib/contract/error-codes";
import type { BodyOf, Call, ItemOf, Method, ResponseOf } from "./route-types.ts";

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

declare const tagged: unique symbol;

/** Version of a resource, which only a read returns. A change needs one, so that it never replaces a change of others. */
export type Etag = string & { readonly [tagged]: true };

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

/** `never` fits the type that the route declares for the response. */
type Envelope = { data: never };

async function data(response: Promise<Response>): Promise<never> {
  return ((await (await response).json()) as Envelope).data;
}

const ifMatch = (etag: Etag | undefined): ApiOptions => (etag ? { headers: { "If-Match": etag } } : {});

/** A change sends a body and the version that it changes. */
type Change<M extends Method, P extends string> = Call<M, P, [body: BodyOf<M, P>, etag: Etag]>;
type Read<P extends string> = Call<"GET", P, [options?: ApiOptions]>;
export type Page<P extends string> = { items: ItemOf<P>[]; nextCursor: string | null };

/**
 * Calls the service's `/api/v1`, like external programs do. Paths start after `/api/v1`; results are the envelope's
 * `data`. The routes declare the types of bodies and results (`route-types.ts`).
 */
type Api = {
  get<P extends string>(path: P, ...more: Read<P>): Promise<ResponseOf<"GET", P>>;
  /** Reads a resource and the ETag of this version. A proxy that compresses the response marks its ETag as weak. */
  version<P extends string>(path: P): Promise<{ data: ResponseOf<"GET", P>; etag: Etag }>;
  post<P extends string>(
    path: P,
    ...more: Call<"POST", P, [body: BodyOf<"POST", P>, options?: ApiOptions]>
  ): Promise<ResponseOf<"POST", P>>;
  /** Changes an existing resource by a POST request: appends to it, or replaces it by a new one. */
  postTo<P extends string>(path: P, ...more: Change<"POST", P>): Promise<ResponseOf<"POST", P>>;
  put<P extends string>(path: P, ...more: Change<"PUT", P>): Promise<ResponseOf<"PUT", P>>;
  /** Stores a resource that does not exist yet, so it has no version. */
  putNew<P extends string>(
    path: P,
    ...more: Call<"PUT", P, [body: BodyOf<"PUT", P>]>
  ): Promise<ResponseOf<"PUT", P>>;
  patch<P extends string>(path: P, ...more: Change<"PATCH", P>): Promise<ResponseOf<"PATCH", P>>;
  delete<P extends string>(
    path: P,
    ...more: Call<"DELETE", P, [options?: ApiOptions]>
  ): Promise<ResponseOf<"DELETE", P>>;
  /** Downloads a file in the media type given by `accept`. */
  blob(path: string, accept: string): Promise<Blob>;
  /** Reads all pages of a list. */
  all<P extends string>(path: P, ...more: Read<P>): Promise<ItemOf<P>[]>;
  /** Reads the page of a list at a cursor, which is empty for the first one. The `Link` header has the next cursor. */
  list<P extends string>(
    path: P,
    ...more: Call<"GET", P, [cursor: string, options?: ApiOptions]>
  ): Promise<Page<P>>;
};

export const api: Api = {
  get: (path: string, options?: ApiOptions) => data(call("GET", path, undefined, options)),
  async version(path: string) {
    const response = await call("GET", path);
    const etag = response.headers.get("etag")?.replace(/^W\//, "") ?? "*";
    return { data: ((await response.json()) as Envelope).data, etag: etag as Etag };
  },
  post: (path: string, body: unknown, options?: ApiOptions) => data(call("POST", path, body, options)),
  postTo: (path: string, body?: unknown, etag?: Etag) => data(call("POST", path, body, ifMatch(etag))),
  put: (path: string, body?: unknown, etag?: Etag) => data(call("PUT", path, body, ifMatch(etag))),
  putNew: (path: string, body: unknown) => data(call("PUT", path, body)),
  patch: (path: string, body?: unknown, etag?: Etag) => data(call("PATCH", path, body, ifMatch(etag))),
  delete: (path: string, options?: ApiOptions) => data(call("DELETE", path, undefined, options)),
  blob: async (path, accept) => (await call("GET", path, undefined, { headers: { accept } })).blob(),
  async all(path: string, options?: ApiOptions) {
    const items: never[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await readPage(path, cursor, options);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  },
  list: readPage,
};

async function readPage(path: string, cursor: string, options?: ApiOptions) {
  const at = cursor && `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
  const response = await call("GET", path + at, undefined, options);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  return {
    items: ((await response.json()) as { data: never[] }).data,
    nextCursor: next ? new URL(next, location.origin).searchParams.get("cursor") : null,
  };
}

/**
 * Query keys that pages share, grouped by project so that an event invalidates one subtree. The keys of single resources
 * are in `queries.ts`. In a file of their own, they made the bundler send 9 kB of other modules twice to the first page.
 */
export const keys = {
  projects: () => ["projects"] as const,
  project: (projectId: string) => ["project", projectId] as const,
  dataset: (projectId: string) => ["project", projectId, "dataset"] as const,
  comparisons: (projectId: string) => ["project", projectId, "comparisons"] as const,
  scenarios: (projectId: string) => ["project", projectId, "scenarios"] as const,
  jobs: (projectId: string) => ["project", projectId, "jobs"] as const,
  members: () => ["members"] as const,
  sessions: () => ["sessions"] as const,
};
