import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import { methods, type RouteTable } from "#lib/api/route-declaration";
import { ErrorBody } from "#lib/contract/common";
import { introduction } from "#lib/openapi/introduction";
import { tags } from "#lib/openapi/tags";
import { bareOperations } from "./bare-operations.ts";
import { channelEvents } from "./describe-events.ts";
import { answerHeaders } from "./describe-headers.ts";
import { describeOperation } from "./describe-operation.ts";
import { describeSchema } from "./describe-schema.ts";
import { errorExamples } from "./examples/errors.ts";
import { securitySchemes } from "./security.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of the routes: made from their declarations, so that it cannot differ from what they do. */
export async function openApiDocument(routes: RouteTable): Promise<OpenApiDocument> {
  const paths: Paths = {};
  for (const [path, load] of Object.entries(routes)) {
    const module = await load();
    const item: Paths[string] = {};
    for (const method of methods) {
      const handler = module[method];
      if (handler) item[method.toLowerCase() as "get"] = describeOperation(handler.declaration, method);
    }
    paths[path] = item;
  }
  return createDocument(
    {
      openapi: "3.1.1",
      info: { title: "Model prediction service", version: "1.0.0", description: introduction },
      servers: [{ url: "/", description: "This service" }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: { ...paths, ...bareOperations },
      webhooks: channelEvents,
      components: {
        schemas: { Failure: ErrorBody },
        headers: answerHeaders,
        examples: errorExamples,
        securitySchemes,
      },
    },
    { override: describeSchema },
  );
}
