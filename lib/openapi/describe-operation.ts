import { z } from "zod";
import type { ZodOpenApiObject } from "zod-openapi";
import { limits } from "#lib/contract/limits";
import type { AnyDeclaration, RawContent } from "#lib/http/route-declaration";
import { describeErrors } from "./describe-errors.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;
type Content = NonNullable<NonNullable<Operation["requestBody"]>["content"]>;
type RequestParams = NonNullable<Operation["requestParams"]>;

const IdempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyMax)
  .meta({ description: "The same request with the same key is answered the same, and done once" });
const EntityTag = z
  .string()
  .meta({ description: "The change is refused with 412 if the resource has changed" });

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

export function describeOperation(declaration: AnyDeclaration): Operation {
  const { operationId, tag, summary, auth } = declaration;
  const description = [declaration.description, whoMay[auth]].filter(Boolean).join("\n\n");
  const requestBody = describeBody(declaration);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === "" ? {} : { description }),
    security: security[auth],
    requestParams: describeParameters(declaration),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      [`${declaration.status ?? 200}`]: describeSuccess(declaration),
      ...describeErrors(declaration),
    },
  };
}

function describeParameters(declaration: AnyDeclaration): RequestParams {
  const { params, query, idempotent, ifMatch } = declaration;
  const headers = {
    ...(idempotent ? { "Idempotency-Key": IdempotencyKey.optional() } : {}),
    ...(ifMatch ? { "If-Match": EntityTag.optional() } : {}),
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

function describeSuccess(declaration: AnyDeclaration): Operation["responses"]["200"] {
  const { response, rawResponses, etag, status } = declaration;
  const envelope = response && z.object({ success: z.literal(true), data: response });
  return {
    description: status === 202 ? "Accepted: it finishes in the background" : "Success",
    headers: {
      "X-Request-Id": header("Of this request, also in the log"),
      RateLimit: header("What is left (IETF draft)"),
      "RateLimit-Policy": header("Quota and window (IETF draft)"),
      ...(etag ? { ETag: header("Tag of this state, for If-Match") } : {}),
    },
    content: {
      ...(envelope ? { "application/json": { schema: envelope } } : {}),
      ...describeRaw(rawResponses ?? {}),
    },
  };
}

const header = (description: string) => ({ description, schema: { type: "string" as const } });

function describeRaw(content: RawContent): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, { description, schema }]) => [
      type,
      { schema: schema ?? { type: "string", description } },
    ]),
  );
}
