import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { openApiDocument } from "#lib/api/openapi/document";

let document: Promise<string> | undefined;

/**
 * Made once, because the routes of a process do not change. The table is imported here because it contains this route.
 */
async function makeDocument(): Promise<string> {
  const { documentedRoutes } = await import("../documented-routes.ts");
  return JSON.stringify(await openApiDocument(documentedRoutes));
}

export const GET = defineRoute({
  operationId: "getOpenApi",
  tag: "Documentation",
  summary: "Get the OpenAPI document",
  description: "Returns the OpenAPI 3.1 document of this API, without the envelope.",
  auth: "public",
  rawResponses: {
    "application/json": {
      description: "OpenAPI 3.1 document.",
      schema: z.looseObject({
        openapi: z.string().describe("OpenAPI version of the document."),
      }),
    },
  },
  async run() {
    document ??= makeDocument();
    return new Response(await document, {
      headers: { "Content-Type": "application/json", "Cache-Control": "public, max-age=60" },
    });
  },
});
