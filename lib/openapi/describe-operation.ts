import { z } from "zod";
import type { ZodOpenApiObject } from "zod-openapi";
import { limits } from "#lib/contract/limits";
import type { AnyDeclaration, Method, RawContent } from "#lib/http/route-declaration";
import { describeErrors } from "./describe-errors.ts";
import { headersWith } from "./describe-headers.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;
type Content = NonNullable<NonNullable<Operation["requestBody"]>["content"]>;
type RequestParams = NonNullable<Operation["requestParams"]>;

const IdempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyMax)
  .meta({ description: "The same request with the same key is answered the same, and done once" });
const IfMatch = z
  .string()
  .meta({ description: "An `ETag`: refused with 412 if the resource is no longer in that state" });
const IfNoneMatch = z
  .string()
  .meta({ description: "An `ETag`: answered with 304 and no body if the resource is still in that state" });

const security = {
  project: [{ apiKey: [] }, { session: [] }],
  settings: [{ apiKey: [] }, { session: [] }],
  caller: [{ apiKey: [] }, { session: [] }],
  session: [{ session: [] }],
  admin: [{ session: [] }],
  public: [],
};

const whoMay = {
  project: "",
  settings: "A session must be an admin's.",
  caller: "",
  session: "Takes a session; a key is refused with 403.",
  admin: "Takes an admin's session; a key is refused with 403.",
  public: "",
};

export function describeOperation(declaration: AnyDeclaration, method: Method): Operation {
  const { operationId, tag, summary, auth } = declaration;
  const description = [declaration.description, whoMay[auth]].filter(Boolean).join("\n\n");
  const requestBody = describeBody(declaration);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === "" ? {} : { description }),
    security: security[auth],
    requestParams: describeParameters(declaration, method),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      [`${declaration.status ?? 200}`]: describeSuccess(declaration),
      ...(method === "GET" && declaration.etag ? { 304: notModified } : {}),
      ...describeErrors(declaration),
    },
  };
}

function describeParameters(declaration: AnyDeclaration, method: Method): RequestParams {
  const { params, query, idempotent, ifMatch, etag } = declaration;
  const headers = {
    ...(idempotent ? { "Idempotency-Key": IdempotencyKey.optional() } : {}),
    ...(ifMatch || etag ? { "If-Match": IfMatch.optional() } : {}),
    ...(etag && method === "GET" ? { "If-None-Match": IfNoneMatch.optional() } : {}),
  };
  return {
    ...(params ? { path: params as NonNullable<RequestParams["path"]> } : {}),
    ...(query ? { query: query as NonNullable<RequestParams["query"]> } : {}),
    ...(Object.keys(headers).length > 0 ? { header: z.object(headers) } : {}),
  };
}

function describeBody({ body, rawBody }: AnyDeclaration): NonNullable<Operation["requestBody"]> | null {
  if (rawBody) return { required: true, content: describeRaw(rawBody) };
  if (!body) return null;
  return { required: true, content: { "application/json": { schema: body } } };
}

const notModified = {
  description: "Not modified: the state is the one that `If-None-Match` names",
  headers: headersWith("ETag"),
};

function describeSuccess(declaration: AnyDeclaration): Operation["responses"]["200"] {
  const { response, rawResponses = {}, etag, query, idempotent, status } = declaration;
  const envelope = response && z.object({ success: z.literal(true), data: response });
  return {
    description: status === 202 ? "Accepted: it finishes in the background" : "Success",
    headers: headersWith(
      ...(etag ? ["ETag" as const] : []),
      ...(isPaged(query) ? ["Link" as const] : []),
      ...(idempotent ? ["Idempotent-Replayed" as const] : []),
      ...("text/csv" in rawResponses ? ["Content-Disposition" as const] : []),
    ),
    content: {
      ...(envelope ? { "application/json": { schema: envelope } } : {}),
      ...describeRaw(rawResponses),
    },
  };
}

const isPaged = (query: AnyDeclaration["query"]) => query instanceof z.ZodObject && "cursor" in query.shape;

function describeRaw(content: RawContent): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, { description, schema }]) => [
      type,
      { schema: schema ?? { type: "string", description } },
    ]),
  );
}
