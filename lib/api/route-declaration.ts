import type { z } from "zod";
import type { Database } from "#db/client";
import type { Access } from "#lib/api/caller/authorize";
import type { Reply } from "#lib/api/response/reply";
import type { Scope } from "#lib/contract/api-keys";
import type { ErrorCode } from "#lib/contract/error-codes";
import type { Records } from "#lib/platform/audit/event-of-action";
import type { Actor, Context } from "#lib/platform/context/context";
import type { ApiRequest } from "./api-request.ts";

type Schema = z.ZodType | undefined;
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;
type Session = Extract<Actor, { kind: "session" }>;

/** First argument of `run`. The actor is known except on public routes. */
type RouteContext<A extends Access> = A extends "public"
  ? { db: Database; actor: null; requestId: string }
  : A extends "admin" | "manage" | "session"
    ? Context & { actor: Session }
    : Context;

type RouteInput<P extends Schema, Q extends Schema, B extends Schema> = {
  params: Output<P>;
  query: Output<Q>;
  body: Output<B>;
  request: ApiRequest;
};

/** Body or response without the JSON envelope: media type → content. */
export type RawContent = Record<string, { description: string; schema?: z.ZodType }>;

/** Processing of bodies that would block other requests. Not for routes that create resources or support `If-Match`. */
type AnswerInThread<A extends Access, P extends Schema> = {
  /** Bodies above this size go to the thread unparsed. */
  bytes: number;
  /** Returns whether a smaller body, parsed but not validated, also takes long. */
  isLong(body: unknown): boolean;
  /** Returns the serialized response that `run` would return for these bytes, parsed with `parseJsonBody`. */
  run(ctx: RouteContext<A>, input: { params: Output<P>; json: Uint8Array }): Promise<string>;
};

/** One method of one path: its input, output, permitted callers, and handler. */
export type RouteDeclaration<
  A extends Access = Access,
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
> = {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  auth: A;
  /** Effect of a call, which decides the role and the scope of a key that it needs. Default: `effectOf`. */
  effect?: Scope;
  /** Schema of the path, from `path-params.ts`. */
  params?: P;
  /** Schema of a `Record<string, string | string[]>`. */
  query?: Q;
  /** Schema of the JSON body. Parsed before `run`. Absent for routes without a body or with `rawBody`. */
  body?: B;
  /** Size limit of the body. Default 1 MB. */
  bodyLimitBytes?: number;
  /** Fields of the JSON body that hold files in base64, which may be large (see `readBodyWithFiles`). */
  fileFields?: readonly string[];
  /** Field of the JSON body whose keys are the caller's own names, such as columns. Any text is allowed. */
  namesField?: string;
  /** Processes large bodies in a thread. */
  inThread?: AnswerInThread<A, P>;
  /**
   * Not parsed: `run` reads the body from `request` (see `readBodyBytes`). Its media type and declared size are
   * checked.
   */
  rawBody?: RawContent;
  /** Schema of `data` in the envelope. Absent if every response is raw. */
  response?: R;
  /** Default 200. A redirect has no body. */
  status?: 200 | 201 | 202 | 302;
  /** Error codes of this route's own rules, for the documentation. */
  errors?: readonly ErrorCode[];
  /** Media types of a `Response` that `run` may return, which is sent unchanged. */
  rawResponses?: RawContent;
  /**
   * A POST that creates a resource and supports `Idempotency-Key`. Its operation stores the response
   * (`storeIdempotentResponse`), and `run` returns exactly that response.
   */
  idempotent?: true;
  /** The response is a single resource: it carries an entity tag, and reading it supports `If-None-Match`. */
  etag?: true;
  /**
   * Changes a single resource, or creates something from it, and supports `If-Match`. Its operation compares the tag
   * (`requireIfMatch`).
   */
  ifMatch?: true;
  /**
   * Entries of the audit log and events of a call, written in the transaction of its change. All methods but GET declare
   * them; `lib/api/records.db.test.ts` compares them with what a call writes.
   */
  records?: Records;
  run(
    ctx: RouteContext<A>,
    input: RouteInput<P, Q, B>,
  ): Promise<Output<R> | Reply<Output<R>> | Response> | Output<R> | Reply<Output<R>> | Response;
};

/** A declaration with any schemas, for the routing code and the OpenAPI document. */
export type AnyDeclaration = Omit<RouteDeclaration, "run" | "inThread"> & {
  inThread?: Omit<AnswerInThread<Access, undefined>, "run"> & {
    run(ctx: never, input: never): Promise<string>;
  };
  run(ctx: never, input: never): unknown;
};

/**
 * Handler that Next.js calls, with its declaration. The schemas of its body and response are part of its type, from which
 * the page's client has its types (`components/api/route-types.ts`).
 */
export type RouteHandler<B extends Schema = Schema, R extends Schema = Schema> = ((
  request: Request,
  context: { params: Promise<unknown> },
) => Promise<Response>) & {
  declaration: AnyDeclaration;
  /** Only for the type checker: no handler has a value here. */
  schemas?: { body: B; response: R };
};

/** Exports of a route file: its methods. */
type RouteModule = Partial<Record<Method, RouteHandler>>;

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** All routes of the API: path with parameters in braces → its file. */
export type RouteTable = Record<string, () => Promise<RouteModule>>;

/** Returns what a call of a route does: unless declared, a GET reads, and other methods write. */
export const effectOf = ({ effect }: Pick<AnyDeclaration, "effect">, method: string): Scope =>
  effect ?? (method === "GET" || method === "HEAD" ? "read" : "write");
