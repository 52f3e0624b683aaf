import { ids } from "./examples/ids.ts";

type Header = {
  description: string;
  required?: true;
  schema: { type: "string" | "integer"; format?: string; pattern?: string; const?: string; minimum?: number };
  example: string | number;
};

/** Every header that an answer may carry besides those of HTTP itself; `required` ones are on each answer that lists them. */
export const answerHeaders = {
  "X-Request-Id": {
    description: "Of this request, also in the log: report it with a problem.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: ids.request,
  },
  "RateLimit-Policy": {
    description: "The limit: `q` calls in `w` seconds, `mps-burst` of them at once (IETF draft).",
    required: true,
    schema: { type: "string", pattern: '^"default";q=\\d+;w=\\d+(;.+)?$' },
    example: '"default";q=600;w=60;mps-burst=100',
  },
  RateLimit: {
    description: "`r` calls are left at once, and in `t` seconds all of them again (IETF draft).",
    required: true,
    schema: { type: "string", pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=99;t=1',
  },
  ETag: {
    description:
      "Tag of this state: for `If-Match` when you change it, for `If-None-Match` when you read it again.",
    required: true,
    schema: { type: "string", pattern: '^"[\\w-]+"$' },
    example: '"oUqQ1cXhG4xkZC1Vb6nX8mK2dTs"',
  },
  Link: {
    description: "Where there is more: the address of the next page (RFC 8288).",
    schema: { type: "string", pattern: '^<[^>]+>; rel="next"$' },
    example: '</api/v1/projects?cursor=WyIwMTkwIl0>; rel="next"',
  },
  "Idempotent-Replayed": {
    description: "Where this is the kept answer of an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "Retry-After": {
    description: "Seconds to wait; then the request can be sent again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 5,
  },
  "WWW-Authenticate": {
    description: "How a program says who it is.",
    required: true,
    schema: { type: "string" },
    example: 'ApiKey header="X-API-Key"',
  },
  Allow: {
    description: "The methods that the address takes.",
    required: true,
    schema: { type: "string" },
    example: "HEAD, GET, OPTIONS",
  },
  "Content-Disposition": {
    description: "The file name of a download.",
    schema: { type: "string" },
    example: 'attachment; filename="Warm February.csv"',
  },
  "Set-Cookie": {
    description: "The session.",
    schema: { type: "string" },
    example: "better-auth.session_token=…; Path=/; HttpOnly; SameSite=Lax",
  },
} satisfies Record<string, Header>;

export type AnswerHeader = keyof typeof answerHeaders;
type References = Record<string, { $ref: string }>;

/** Those that every answer of a declared route carries, and these. */
export function headersWith(...names: AnswerHeader[]): References {
  return references(["X-Request-Id", "RateLimit-Policy", "RateLimit", ...names]);
}

export function references(names: readonly AnswerHeader[]): References {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
