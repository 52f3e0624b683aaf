import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import { ErrorBody } from "#lib/contract/common";
import { EventPayload } from "#lib/contract/realtime";
import { methods, type RouteTable } from "#lib/http/route-declaration";
import { answerHeaders } from "./describe-headers.ts";
import { describeOperation } from "./describe-operation.ts";
import { errorExamples } from "./examples/errors.ts";
import { introduction } from "./introduction.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of the routes: made from their declarations, so that it cannot differ from what they do. */
export async function openApiDocument(routes: RouteTable): Promise<OpenApiDocument> {
  const paths: Paths = {};
  const tags = new Set<string>();
  for (const [path, load] of Object.entries(routes)) {
    const module = await load();
    const item: Paths[string] = {};
    for (const method of methods) {
      const handler = module[method];
      if (!handler) continue;
      item[method.toLowerCase() as "get"] = describeOperation(handler.declaration, method);
      tags.add(handler.declaration.tag);
    }
    paths[path] = item;
  }
  return createDocument({
    openapi: "3.1.1",
    info: { title: "Model prediction service", version: "1.0.0", description: introduction },
    servers: [{ url: "/", description: "This service" }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: ErrorBody, EventPayload },
      headers: answerHeaders,
      examples: errorExamples,
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "A key of one project, created in its settings.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "better-auth.session_token",
          description:
            "The cookie of `POST /api/auth/sign-in/email` with `{ email, password }`. Changes need an `Origin` header with the service's own scheme and host.",
        },
      },
    },
  });
}
