import { z } from "zod";
import type { ZodOpenApiObject, ZodOpenApiRequestBodyObject, ZodOpenApiResponseObject } from "zod-openapi";
import type { AnyDeclaration, Method } from "#lib/api/route-declaration";
import { eventNames } from "#lib/contract/channel";
import { limits } from "#lib/contract/limits";
import { listRecords } from "#lib/platform/audit/event-of-action";
import { type Content, describeRaw, type Examples } from "./describe-content.ts";
import { describeErrors } from "./describe-errors.ts";
import { type AnswerHeader, headersWith } from "./describe-headers.ts";
import recorded from "./examples/answers.json" with { type: "json" };
import { bodyExamples } from "./examples/bodies.ts";
import { parameterExamples } from "./examples/parameters.ts";
import { allowedCallers, security } from "./security.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;

/** Names the events of a call, for example "Events of the call: `checkpoint-updated`, `default-changed`." */
function eventsText({ records }: AnyDeclaration): string {
  const written = new Set(listRecords(records ?? []).map(({ name }) => name));
  const events = eventNames.filter((name) => written.has(name));
  return events.length === 0 ? "" : `Events of the call: ${events.map((name) => `\`${name}\``).join(", ")}.`;
}

export function describeOperation(declaration: AnyDeclaration, method: Method): Operation {
  const { operationId, tag, summary, auth, etag, status = 200 } = declaration;
  const description = [declaration.description, eventsText(declaration), allowedCallers[auth]]
    .filter(Boolean)
    .join("\n\n");
  const requestBody = describeBody(declaration);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === "" ? {} : { description }),
    security: security[auth],
    parameters: describeParameters(declaration, method),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      [`${status}`]: describeSuccess(declaration),
      ...(method === "GET" && etag ? { 304: describeNotModified() } : {}),
      ...describeErrors(declaration, method),
    },
  };
}

/** Describes the body of an operation, with examples. null if it has none. */
function describeBody(declaration: AnyDeclaration): ZodOpenApiRequestBodyObject | null {
  const { operationId, body, rawBody } = declaration;
  const examples = bodyExamples[operationId] ?? {};
  if (rawBody) return { required: true, content: describeRaw(rawBody, examples) };
  if (!body) return null;
  const content: Content = { "application/json": { schema: body, examples } };
  return { required: !body.safeParse({}).success, content };
}

/** Responses by operation and name, which a test records: `data` of the envelope, or the whole body without an envelope. */
const answerExamples: Partial<Record<string, Record<string, unknown>>> = recorded;

const meanings = {
  200: "Success",
  201: "Created",
  202: "Accepted. The work finishes in the background.",
  302: "Redirect",
};

/** Describes the success response of an operation, with examples. */
function describeSuccess(declaration: AnyDeclaration): ZodOpenApiResponseObject {
  const { operationId, response, rawResponses = {}, status = 200 } = declaration;
  const examples = answerExamples[operationId] ?? {};
  return {
    description: meanings[status],
    headers: headersWith(...headersOf(declaration)),
    ...(status !== 302 && {
      content: {
        ...(response
          ? { "application/json": { schema: envelope(response), examples: enveloped(examples) } }
          : {}),
        ...describeRaw(rawResponses, named(examples)),
      },
    }),
  };
}

/** Describes the response to a client that already has the current state. */
const describeNotModified = (): ZodOpenApiResponseObject => ({
  description: "Not modified: the resource still has the state that `If-None-Match` names.",
  headers: headersWith("ETag"),
});

function headersOf({
  tag,
  etag,
  query,
  idempotent,
  status,
  rawResponses = {},
}: AnyDeclaration): AnswerHeader[] {
  const when = (condition: unknown, name: AnswerHeader) => (condition ? [name] : []);
  const isFile = Object.keys(rawResponses).some((type) => type !== "application/json");
  return [
    ...when(etag, "ETag"),
    ...when(query instanceof z.ZodObject && "cursor" in query.shape, "Link"),
    ...when(idempotent, "Idempotent-Replayed"),
    ...when(isFile, "Content-Disposition"),
    ...when(tag === "Sign-in", "Set-Cookie"),
    ...when(status === 302, "Location"),
  ];
}

const envelope = (data: z.ZodType) =>
  z.object({
    success: z.literal(true).describe("Always `true`: the request succeeded."),
    data,
  });

const named = (values: Record<string, unknown>): Examples =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));

const enveloped = (values: Record<string, unknown>): Examples =>
  Object.fromEntries(
    Object.entries(values).map(([name, data]) => [name, { value: { success: true, data } }]),
  );

const idempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyMax)
  .optional()
  .describe(
    "Unique key of the request, at most 255 characters. A repeated request with the same key returns the first response and creates nothing new.",
  );
const ifMatch = z
  .string()
  .optional()
  .describe("An `ETag`. The request fails with 412 if the resource has changed since.");
const ifNoneMatch = z
  .string()
  .optional()
  .describe("An `ETag`. The response is 304 without a body if the resource has not changed since.");

/** Describes the parameters of an operation in path, query and headers, each with an example. */
function describeParameters(declaration: AnyDeclaration, method: Method): z.ZodType[] {
  const { params, query, idempotent, etag } = declaration;
  return [
    ...parametersIn("path", shapeOf(params)),
    ...parametersIn("query", shapeOf(query)),
    ...parametersIn("header", {
      ...(idempotent ? { "Idempotency-Key": idempotencyKey } : {}),
      ...(declaration.ifMatch || (etag && method === "GET") ? { "If-Match": ifMatch } : {}),
      ...(etag && method === "GET" ? { "If-None-Match": ifNoneMatch } : {}),
    }),
  ];
}

function parametersIn(place: "path" | "query" | "header", shape: Record<string, z.ZodType>): z.ZodType[] {
  return Object.entries(shape).map(([name, schema]) =>
    schema.meta({ param: { in: place, name, example: exampleOf(name, schema) } }),
  );
}

/** Returns the example of a parameter, as a list of one for a filter that can be repeated. */
function exampleOf(name: string, schema: z.ZodType): unknown {
  const example = parameterExamples[name];
  const { anyOf = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const isList = anyOf.some(({ type }) => type === "array");
  return isList && !Array.isArray(example) ? [example] : example;
}

function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (schema === undefined) return {};
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  throw new Error("Describe the parameters of a route with a z.object");
}
