import type { ZodOpenApiRequestBodyObject } from "zod-openapi";
import type { AnyDeclaration } from "#lib/api/route-declaration";
import { type Content, describeRaw } from "./describe-content.ts";
import { bodyExamples } from "./examples/bodies.ts";

/** Describes the body of an operation, with examples. null if it has none. */
export function describeBody(declaration: AnyDeclaration): ZodOpenApiRequestBodyObject | null {
  const { operationId, body, rawBody } = declaration;
  const examples = bodyExamples[operationId] ?? {};
  if (rawBody) return { required: true, content: describeRaw(rawBody, examples) };
  if (!body) return null;
  const content: Content = { "application/json": { schema: body, examples } };
  return { required: !body.safeParse({}).success, content };
}
