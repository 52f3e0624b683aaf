import { z } from "zod";
import type { AnyDeclaration, Method } from "#lib/api/route-declaration";
import { limits } from "#lib/contract/limits";
import { parameterExamples } from "./examples/parameters.ts";

const idempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyMax)
  .optional()
  .meta({ description: "The same request with the same key is answered the same, and done once" });
const ifMatch = z
  .string()
  .optional()
  .meta({ description: "An `ETag`: refused with 412 if the resource is no longer in that state" });
const ifNoneMatch = z
  .string()
  .optional()
  .meta({ description: "An `ETag`: answered with 304 and no body if the resource is still in that state" });

/** What a call carries in its path, its query and its headers, each with an example. */
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
    schema.meta({ param: { in: place, name, example: parameterExamples[name] } }),
  );
}

function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (schema === undefined) return {};
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  throw new Error("The parameters of a route are described by a z.object");
}
