import { z } from "zod";
import type { AnyDeclaration, Method } from "#lib/api/route-declaration";
import { limits } from "#lib/contract/limits";
import { parameterExamples } from "./examples/parameters.ts";

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
export function describeParameters(declaration: AnyDeclaration, method: Method): z.ZodType[] {
  const { params, query, idempotent, etag } = declaration;
  return [
    ...parametersIn("path", shapeOf(params)),
    ...parametersIn("query", shapeOf(query)),
    ...parametersIn("header", {
      ...(idempotent ? { "Idempotency-Key": idempotencyKey } : {}),
      ...(declaration.ifMatch || etag ? { "If-Match": ifMatch } : {}),
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
