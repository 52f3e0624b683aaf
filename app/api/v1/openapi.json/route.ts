import { z } from "zod";
import { defineRoute } from "#lib/api/define-route";
import { openApiDocument } from "#lib/api/openapi/document";

let document: Promise<string> | undefined;

/** Made once: the routes of a process do not change. The table is loaded here, since it holds this route too. */
async function makeDocument(): Promise<string> {
  const { documentedRoutes } = await import("../../documented-routes.ts");
  return JSON.stringify(await openApiDocument(documentedRoutes));
}

export const GET = defineRoute({
  operationId: "getOpenApi",
  tag: "Documentation",
  summary: "This document",
  description: "OpenAPI 3.1, without the envelope.",
  auth: "public",
  rawResponses: {
    "application/json": {
      description: "OpenAPI 3.1",
      schema: z.looseObject({ openapi: z.string().meta({ description: "Version of OpenAPI" }) }),
    },
  },
  async run() {
    document ??= makeDocument();
    return new Response(await document, {
      headers: { "Content-Type": "application/json", "Cache-Control": "public, max-age=60" },
    });
  },
});
