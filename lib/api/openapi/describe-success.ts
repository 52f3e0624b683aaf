import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import type { AnyDeclaration } from "#lib/api/route-declaration";
import { describeRaw, type Examples } from "./describe-content.ts";
import { type AnswerHeader, headersWith } from "./describe-headers.ts";
import recorded from "./examples/answers.json" with { type: "json" };

/** Responses by operation and name, which a test records: `data` of the envelope, or the whole body without an envelope. */
const answerExamples: Partial<Record<string, Record<string, unknown>>> = recorded;

const meanings = { 200: "Success", 201: "Created", 202: "Accepted. The work finishes in the background." };

/** Describes the success response of an operation, with examples. */
export function describeSuccess(declaration: AnyDeclaration): ZodOpenApiResponseObject {
  const { operationId, response, rawResponses = {}, status = 200 } = declaration;
  const examples = answerExamples[operationId] ?? {};
  return {
    description: meanings[status],
    headers: headersWith(...headersOf(declaration)),
    content: {
      ...(response
        ? { "application/json": { schema: envelope(response), examples: enveloped(examples) } }
        : {}),
      ...describeRaw(rawResponses, named(examples)),
    },
  };
}

/** Describes the response to a client that already has the current state. */
export const describeNotModified = (): ZodOpenApiResponseObject => ({
  description: "Not modified: the resource still has the state that `If-None-Match` names.",
  headers: headersWith("ETag"),
});

function headersOf({ tag, etag, query, idempotent, rawResponses = {} }: AnyDeclaration): AnswerHeader[] {
  const when = (condition: unknown, name: AnswerHeader) => (condition ? [name] : []);
  return [
    ...when(etag, "ETag"),
    ...when(query instanceof z.ZodObject && "cursor" in query.shape, "Link"),
    ...when(idempotent, "Idempotent-Replayed"),
    ...when("text/csv" in rawResponses || "application/x-tar" in rawResponses, "Content-Disposition"),
    ...when(tag === "Sign-in", "Set-Cookie"),
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
