import { ids } from "./examples/ids.ts";

type Header = {
  description: string;
  required?: true;
  schema: { type: "string" | "integer"; format?: string; pattern?: string; const?: string; minimum?: number };
  example: string | number;
};

/** Documented headers of responses. Every response that lists a `required` header carries it. */
export const answerHeaders = {
  "X-Request-Id": {
    description: "ID of the request, also in the log. Include it in error reports.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: ids.request,
  },
  "RateLimit-Policy": {
    description: "Rate limit: `q` requests per `w` seconds, at most `mps-burst` at once (IETF draft).",
    required: true,
    schema: { type: "string", pattern: '^"default";q=\\d+;w=\\d+(;.+)?$' },
    example: '"default";q=600;w=60;mps-burst=100',
  },
  RateLimit: {
    description:
      "Remaining requests: `r` requests are available now, and one more in `t` seconds (IETF draft).",
    required: true,
    schema: { type: "string", pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=99;t=1',
  },
  ETag: {
    description:
      "Entity tag of the resource. Send it as `If-Match` with a change, or as `If-None-Match` with a read.",
    required: true,
    schema: { type: "string", pattern: '^"[\\w-]+"$' },
    example: '"oUqQ1cXhG4xkZC1Vb6nX8mK2dTs"',
  },
  Location: {
    description: "Address to which the browser is redirected.",
    required: true,
    schema: { type: "string" },
    example: "/projects",
  },
  Link: {
    description: "URL of the next page (RFC 8288). Absent on the last page.",
    schema: { type: "string", pattern: '^<[^>]+>; rel="next"$' },
    example: '</api/v1/projects?cursor=WyIwMTkwIl0>; rel="next"',
  },
  "Idempotent-Replayed": {
    description:
      "Present if this is the stored response of an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "Retry-After": {
    description: "Number of seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 5,
  },
  "WWW-Authenticate": {
    description: "Authentication scheme for programs.",
    required: true,
    schema: { type: "string" },
    example: 'ApiKey header="X-API-Key"',
  },
  Allow: {
    description: "Methods that the path accepts.",
    required: true,
    schema: { type: "string" },
    example: "HEAD, GET, OPTIONS",
  },
  "Content-Disposition": {
    description: "File name of the download.",
    schema: { type: "string" },
    example: 'attachment; filename="Warm February.csv"',
  },
  "X-Accel-Buffering": {
    description: "Forbids a proxy to hold events back.",
    schema: { type: "string", const: "no" },
    example: "no",
  },
  "Set-Cookie": {
    description: "Session cookie, or cookie of a known device.",
    schema: { type: "string" },
    example: "better-auth.session_token=…; Path=/; HttpOnly; SameSite=Lax",
  },
} satisfies Record<string, Header>;

export type AnswerHeader = keyof typeof answerHeaders;
type References = Record<string, { $ref: string }>;

/** Returns the headers of every response of a declared route, and the given headers. */
export function headersWith(...names: AnswerHeader[]): References {
  return references(["X-Request-Id", "RateLimit-Policy", "RateLimit", ...names]);
}

export function references(names: readonly AnswerHeader[]): References {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
