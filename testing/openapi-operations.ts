import { openApiDocument } from "#lib/api/openapi/document";
import { documentedRoutes } from "../app/api/v1/documented-routes.ts";

export type Content = Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }>;
export type Parameter = {
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  schema: object;
};
export type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; headers?: Record<string, unknown>; content?: Content }>;
};
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, { schema: object; example: unknown }>;
    examples: Record<string, { value: unknown }>;
  };
};

export type NamedOperation = Operation & { path: string; method: string };

/** Returns the service's OpenAPI document as clients receive it. */
export async function readOpenApi(): Promise<OpenApi> {
  return JSON.parse(JSON.stringify(await openApiDocument(documentedRoutes))) as OpenApi;
}

/** Returns every operation of the document, with its path and its method in capitals. */
export function operationsOf({ paths }: OpenApi): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}
