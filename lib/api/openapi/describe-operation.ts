import type { ZodOpenApiObject } from "zod-openapi";
import type { AnyDeclaration, Method } from "#lib/api/route-declaration";
import { describeErrors } from "./describe-errors.ts";
import { describeParameters } from "./describe-parameters.ts";
import { describeBody } from "./describe-request.ts";
import { describeNotModified, describeSuccess } from "./describe-success.ts";
import { allowedCallers, security } from "./security.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;

export function describeOperation(declaration: AnyDeclaration, method: Method): Operation {
  const { operationId, tag, summary, auth, etag, status = 200 } = declaration;
  const description = [declaration.description, allowedCallers[auth]].filter(Boolean).join("\n\n");
  const requestBody = describeBody(declaration);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === "" ? {} : { description }),
    security: security[auth],
    parameters: describeParameters(declaration, method),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      [`${status}`]: describeSuccess(declaration),
      ...(method === "GET" && etag ? { 304: describeNotModified() } : {}),
      ...describeErrors(declaration, method),
    },
  };
}
