import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import { methods, type RouteTable } from "#lib/api/route-declaration";
import { ErrorBody } from "#lib/contract/common";
import { bareOperations } from "./bare-operations.ts";
import { channelEvents } from "./describe-events.ts";
import { answerHeaders } from "./describe-headers.ts";
import { describeOperation } from "./describe-operation.ts";
import { describeSchema } from "./describe-schema.ts";
import { errorExamples } from "./examples/errors.ts";
import { introduction } from "./introduction.ts";
import { securitySchemes } from "./security.ts";
import { tags } from "./tags.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
type OpenApiDocument = ReturnType<typeof createDocument>;

/** Generates the OpenAPI 3.1 document from the route declarations, so that document and behaviour cannot differ. */
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
      info: { title: "Forkcast", version: "1.0.0", description: introduction },
      servers: [{ url: "/", description: "This service." }],
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
