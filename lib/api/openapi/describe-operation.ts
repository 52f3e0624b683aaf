import type { ZodOpenApiObject } from "zod-openapi";
import type { AnyDeclaration, Method } from "#lib/api/route-declaration";
import { eventNames } from "#lib/contract/channel";
import { listRecords } from "#lib/platform/audit/event-of-action";
import { describeErrors } from "./describe-errors.ts";
import { describeParameters } from "./describe-parameters.ts";
import { describeBody } from "./describe-request.ts";
import { describeNotModified, describeSuccess } from "./describe-success.ts";
import { allowedCallers, security } from "./security.ts";

type Paths = NonNullable<ZodOpenApiObject["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;

/** Names the events of a call, for example "Events of the call: `checkpoint-updated`, `default-changed`." */
function eventsText({ records }: AnyDeclaration): string {
  const written = new Set(listRecords(records ?? []).map(({ name }) => name));
  const events = eventNames.filter((name) => written.has(name));
  return events.length === 0 ? "" : `Events of the call: ${events.map((name) => `\`${name}\``).join(", ")}.`;
}

export function describeOperation(declaration: AnyDeclaration, method: Method): Operation {
  const { operationId, tag, summary, auth, etag, status = 200 } = declaration;
  const description = [declaration.description, eventsText(declaration), allowedCallers[auth]]
    .filter(Boolean)
    .join("\n\n");
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
