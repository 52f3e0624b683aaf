import type { TestProject } from "vitest/node";
import { openApiDocument } from "#lib/api/openapi/document";
import { documentedRoutes } from "../app/api/documented-routes.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The service's OpenAPI document, as JSON. */
    openApi: string;
  }
}

/** Made once for the run: it takes every route of the service, which no test file should load for it. */
export default async function setup({ provide }: TestProject): Promise<void> {
  provide("openApi", JSON.stringify(await openApiDocument(documentedRoutes)));
}
