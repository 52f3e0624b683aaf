import { openApiDocument } from "#lib/api/openapi/document";
import { documentedRoutes } from "../app/api/documented-routes.ts";

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

/** The service's OpenAPI document as it goes out. */
export async function readOpenApi(): Promise<OpenApi> {
  return JSON.parse(JSON.stringify(await openApiDocument(documentedRoutes))) as OpenApi;
}

/** Every operation of the document, with its method in capitals. */
export function operationsOf({ paths }: OpenApi): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}
