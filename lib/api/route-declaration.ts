import type { z } from "zod";
import type { Database } from "#db/client";
import type { Access } from "#lib/api/caller/authorize";
import type { Reply } from "#lib/api/response/reply";
import type { Actor, Context } from "#lib/context/context";
import type { ErrorCode } from "#lib/contract/error-codes";
import type { ApiRequest } from "./api-request.ts";

type Schema = z.ZodType | undefined;
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;
type Session = Extract<Actor, { kind: "session" }>;

/** What `run` gets first: who calls is known but on public routes. */
export type RouteContext<A extends Access> = A extends "public"
  ? { db: Database; actor: null; requestId: string }
  : A extends "admin" | "session"
    ? Context & { actor: Session }
    : Context;

export type RouteInput<P extends Schema, Q extends Schema, B extends Schema> = {
  params: Output<P>;
  query: Output<Q>;
  body: Output<B>;
  request: ApiRequest;
};

/** A body or an answer that is no JSON in the envelope: media type → what it holds. */
export type RawContent = Record<string, { description: string; schema?: z.ZodType }>;

/** How a route answers bodies that would hold up others. Not for routes that create, or that honour `If-Match`. */
export type AnswerInThread<A extends Access, P extends Schema> = {
  /** Longer bodies go there unread. */
  bytes: number;
  /** Whether a shorter body takes long as well. */
  isLong(body: never): boolean;
  /** What `run` would give for the body of these bytes, read by `parseJsonBody`: as the text of the whole answer. */
  run(ctx: RouteContext<A>, input: { params: Output<P>; json: Uint8Array }): Promise<string>;
};

/** One method of one path: what it takes, what it answers, who may call it, and the function that does it. */
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
  /** Schemas of `path-params.ts`. */
  params?: P;
  /** Of a `Record<string, string | string[]>`. */
  query?: Q;
  /** Of a JSON body. Parsed before `run`; absent for routes without a body or with `rawBody`. */
  body?: B;
  /** Of the body; 1 MB unless told otherwise. */
  bodyLimitBytes?: number;
  /** Fields of the JSON body that hold files in base64, which may be large (see `readBodyWithFiles`). */
  fileFields?: readonly string[];
  /** The field of the JSON body whose keys are names of the caller's own, such as columns: any text may be one. */
  namesField?: string;
  /** For bodies of more than little: the same is done in a thread. */
  inThread?: AnswerInThread<A, P>;
  /** The body is not parsed: `run` reads it from `request` (see `readBodyBytes`). Its type and declared size are checked. */
  rawBody?: RawContent;
  /** Of `data` in the envelope; absent where every answer is raw. */
  response?: R;
  status?: 200 | 201 | 202;
  /** Codes that this route's own rules refuse with, for the documentation. */
  errors?: readonly ErrorCode[];
  /** `run` may also return a `Response` of these types, which goes out as it is. */
  rawResponses?: RawContent;
  /** A POST that creates: takes `Idempotency-Key`. Its operation keeps the answer (`keepAnswer`), and `run` returns just that. */
  idempotent?: true;
  /** The answer is a single resource: it carries its entity tag, and reading it honours `If-None-Match`. */
  etag?: true;
  /** A change of a single resource: honours `If-Match`. Its operation compares (`requireMatch`). */
  ifMatch?: true;
  run(
    ctx: RouteContext<A>,
    input: RouteInput<P, Q, B>,
  ): Promise<Output<R> | Reply<Output<R>> | Response> | Output<R> | Reply<Output<R>> | Response;
};

/** A declaration of whatever schemas, as the machinery and the OpenAPI document see it. */
export type AnyDeclaration = Omit<RouteDeclaration, "run" | "inThread"> & {
  inThread?: Omit<AnswerInThread<Access, undefined>, "run"> & {
    run(ctx: never, input: never): Promise<string>;
  };
  run(ctx: never, input: never): unknown;
};

/** What Next.js calls, with the declaration that it was made from. */
export type RouteHandler = ((
  request: Request,
  context: { params: Promise<unknown> },
) => Promise<Response>) & {
  declaration: AnyDeclaration;
};

/** What a route file exports: its methods. */
export type RouteModule = Partial<Record<Method, RouteHandler>>;

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** Every route of the API: path with its parameters in braces → its file. */
export type RouteTable = Record<string, () => Promise<RouteModule>>;
