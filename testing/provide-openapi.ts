import type { TestProject } from "vitest/node";
import { openApiDocument } from "#lib/api/openapi/document";
import { documentedRoutes } from "../app/api/v1/documented-routes.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The service's OpenAPI document, as JSON. */
    openApi: string;
  }
}

/** Creates the document once per run, so that test files do not load all routes to create it. */
export default async function setup({ provide }: TestProject): Promise<void> {
  provide("openApi", JSON.stringify(await openApiDocument(documentedRoutes)));
}
